"""All named amounts that conditions, fixes and sentences of the knowledge may use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.diagnosis.amounts.accounting import ACCOUNTING_AMOUNTS
from bot.diagnosis.amounts.amount import Amount
from bot.diagnosis.amounts.card import CARD_AMOUNTS
from bot.diagnosis.amounts.engines import ENGINE_AMOUNTS
from bot.diagnosis.amounts.layout import LAYOUT_AMOUNTS
from bot.diagnosis.amounts.memory import MEMORY_AMOUNTS
from bot.diagnosis.amounts.processes import PROCESS_AMOUNTS
from bot.diagnosis.amounts.utilization import UTILIZATION_AMOUNTS

AMOUNTS: Mapping[str, Amount] = MappingProxyType(
    {
        **MEMORY_AMOUNTS,
        **UTILIZATION_AMOUNTS,
        **PROCESS_AMOUNTS,
        **ACCOUNTING_AMOUNTS,
        **CARD_AMOUNTS,
        **ENGINE_AMOUNTS,
        **LAYOUT_AMOUNTS,
    }
)
