"""The words in which people tell of trouble, by what they mean: one class a meaning, in the languages of our channels.

A description in a problem file names classes, `<memory> … <grows>`, instead of listing phrases of its own. A word is a
small pattern. It stands between word boundaries, but for an end that is no ASCII letter and for an end marked `-`,
which is a stem.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

CLASSES: Mapping[str, tuple[str, ...]] = {
    # What it is about.
    "vllm": ("vllm",),
    "oom": ("out of memory",),
    "memory": (
        "memory", "mem", "vram", "ram", "rss", "resident (?:size|set|memory)", "gpu ram", "显存", "顯存", "内存", "記憶體", "メモリ", "메모리", "памят",
        "speicher", "grafikspeicher", "arbeitsspeicher", "memoria", "mémoire", "memória", "pamięć", "pamięci", r"\w{2,12}speicher",
    ),
    "gpu": (
        r"gpus?", r"cards?", "cuda", "nvidia(?:-smi)?", "vram", r"[abhl]\d{2,3}s?", "rtx", r"[345]0[6789]0s?(?:ti)?", r"mi\d{3}x?",
        r"\d{1,3}\s?(?:gi?b|go)", r"\d{1,3}\s?[гГ][бБ]-", "gib", "gigs?", "显卡", "显存", "видеокарт", "видеопамят", "grafikkarte", "karten?", "tarjetas?", "cartes?", "グラボ",
    ),
    "server": (
        "vllm", "server", "service", "serving", "engine", "enginecore", "api", "endpoint", "deployment", "container", "pod", "model",
        "inference", "inferencia", "inférence", "模型", "服务", "推理", "推論", "модел", "сервер", "modell", "modelo", "modèle", "modello", "servidor", "serveur", "サーバ", "モデル",
    ),
    "model": (
        r"\d{1,3}(?:\.\d)?b", "models?", "weights", "llama", "qwen", "mistral", "mixtral", "gemma", "deepseek", "checkpoints?", "模型", "権重", "权重", "модел", "вес[ао]", "modell", "gewichte", "modelo", "pesos", "modèle", "poids", "modello", "pesi", "モデル",
    ),
    "output": (
        "outputs?", "answers?", "repl(?:y|ies)", "responses?", "responds?", "completions?", "tokens?", "text", "generat(?:es?|ed|ing|ion)",
        "produc(?:es?|ed|ing)", "returns?", "writes?", "says?", "model", "chat", "输出", "回答", "回复", "生成", "返回", "ответ", "отвеч",
        "вывод", "выда", "генерир", "ausgabe", "antwort-", "salida", "respuestas?", "responde", "sortie", "réponses?", "répond", "risposta",
        "risponde", "resposta", "出力", "返答", "답변", "출력", "응답", "ausgibt", "gibt", "responder?", "répond(?:re)?", "выдаёт",
    ),
    "requests": (
        "requests?", "reqs?", "users?", "traffic", "calls?", "prompts?", "clients?", "请求", "用户", "запрос", "anfragen?", "peticion-", "solicitudes", "requêtes?", "richiest[ae]", "requisiç", "リクエスト",
    ),
    "tool-calls": (
        r"tool.?calls?", r"(?:call|use|invoke|trigger|execute)(?:s|ing|ed)? (?:\w{1,5} )?(?:tools|functions)", "with(?:out)? (?:the )?tools", r"tools? (?:(?:is|are) )?(?:turned |switched )?(?:enabled|disabled)", r"tools? (?:is |are |turned |switched )(?:on|off)", "werkzeugaufruf-", "调用(?:工具|函数)", "tool.?calling", "tool.?choice", "tool.?parser", "tool.?use", "function.?call(?:s|ing)?", "工具调用", "函数调用", "инструмент-", "llamadas? a herramientas?", "appels? d'outils?",
    ),
    "speculation": (
        r"speculat(?:ive|ion|ing)", "speculative.config", r"spec[- ]?dec(?:ode|oding)?", r"eagle-?\d?", "mtp", "medusa", "draft(?:er)?", r"n-?gram", "draft model", "投机", "推测解码",
    ),
    "several-gpus": (
        r"tp\s?[=:]?\s?[2-9]", r"tensor.parallel.{0,6}", "multi.?gpu", "multiple gpus?", "both gpus?", r"(?:[2-9]|two|four|eight)\s?x?\s?(?:gpus|cards)",
        r"[2-8]\s?x\s?[a-z]{0,4}\s?\d{2,4}\w?", "多卡", "双卡", "两张", "四卡", "八卡", "двух (?:видео)?картах", "zwei (?:gpus|karten)", "deux (?:gpu|cartes)", "dos (?:gpus|tarjetas)", r"GPU (?:두|2)\s?장", "2枚", "二枚",
    ),
    "storage": (
        "nfs", "smb", "samba", "cifs", "hdd", "efs", "ceph(?:fs)?", "lustre", "glusterfs", "pvc", "s3", "gcs", "bucket", r"(?:network|shared|remote) (?:share|drive|disk|mount|storage|filesystem|folder)", r"/mnt/[a-z]", "bind mount", "windows (?:drive|mount|folder)", "网络盘", "机械硬盘", "共享存储", "сетев", "netzlaufwerk", "disque réseau",
    ),
    "proxy": (
        "nginx", "ingress", "haproxy", "traefik", "envoy", "cloudflare", "istio", "load.?balancer", "alb", "elb", "gateway", "(?:reverse )?proxy", "apisix", "kong", "网关", "反向代理",
    ),
    "desktop": (
        "desktop", r"(?:my|the|a|two|2|same|drives?|also|three) (?:\w{1,10} ){0,2}(?:monitors?|displays?|screens?|browser)", "xorg", "x11", "gnome(?:-shell)?", "kde", "wayland", "chrome", "firefox", "显示器", "桌面", "рабочий стол", "bildschirm", "écran", "pantalla",
    ),
    "offload": (
        "cpu.offload(?:.gb)?", r"kv.?offload\w{0,5}", "lmcache", "swap.space", r"offload(?:s|ed|ing)? (?:\w{1,10} ){0,3}(?:kv|cpu|ram|host)-", "offload(?:s|ed|ing)?", "卸载到", "оффлоад-",
    ),
    "airtight": (
        "air.?gap(?:ped)?", "offline", "(?:no|without|behind a|blocks?) (?:internet|proxy|firewall)", "HF_HUB_OFFLINE", "no outbound", "firewall", "内网", "离线", "无法访问", "без интернета", "sin internet", "sans internet", "kein internet", "ohne internet",
    ),
    "windows": (r"windows(?:\s?1[01])?", r"win\s?1[01]", "powershell", "виндовс", "винд[аеу]"),
    "upgrade": (
        "upgrad(?:e|ed|ing)", "updat(?:e|ed|ing)", "bumped", "bump to", r"(?:after|since|from) v?0\.\d{1,2}(?:\.\d{1,2})?", r"(?:in|with) (?:(?:vllm )?v?0\.\d{1,2}\.\d|v0\.\d)\d?", r"0\.\d{1,2}(?:\.\d{1,2})?\s?(?:→|->|to|=>)\s?v?0\.\d{1,2}", "new version", "newer version", r"(?:new|newer|latest) (?:\w{1,10} )?image",
        "moved to", "switch(?:ed|ing) to", "升级", "更新", "обнов", "апгрейд-", "aktualisier-", "actualiz-", "mise à jour", "mis à jour", "aggiorna-",
        "アップデート", "アップグレード",
    ),
    # What happens to it.
    "grows": (
        "grow(?:s|ing|n)?", "grew", "increas(?:e|es|ed|ing)", "climb(?:s|ing)?", "creep(?:s|ing)?", "ris(?:es|ing)", "balloon(?:s|ing)?", "(?:goes|going|keeps? going|went) up", "fatter", r"started (?:with|at|from) (?:\w{1,6} )?\d",  "bigger and bigger", "more and more", r"went from \d{1,3}",
        "leak(?:s|ing|ed|age)?", "增长", "增加", "增大", "上涨", "上升", "变大", "泄漏", "泄露", "растет", "растёт", "утечк", "steigt", "wächst", "läuft voll",
        "crece-", "sube", "aumenta-", "fuga", "augmente", "grimpe", "fuite", "cresce-", "vazamento", "増え", "リーク", "rośnie", "wyciek-", "artıyor", "증가", "늘어",
        r"越\S{1,3}越[多大高满]", "一直涨", "在涨", "疯涨", "猛涨", "увеличива", "ползёт", "ползет", "nimmt zu", "nehmen zu", "steigen", "wachsen", "aumentan?", "sigue subiendo", "croît", "gonfle", "올라가", "膨ら", "上がり続け",
    ),
    "leaks": ("leak(?:s|ing|ed|age)?", "泄漏", "泄露", "утечк", "fuga", "fuite", "vazamento", "リーク", "wyciek-", "speicherleck"),
    "over-time": (
        "over time", r"(?:with|after) (?:each|every|more)", r"(?:each|every) (?:request|call|hour|day|batch|query)", "per (?:request|call|hour|day)", r"/\s?(?:h|hour|day)",
        r"(?:after|until|within) (?:\w{1,8} ){0,2}(?:hours?|days?|weeks?|requests?|while|killed|oom)", "until", "till", "overnight", "(?:over|during) the (?:weekend|night|day|week)", "gradual(?:ly)?", "slowly", "continuous(?:ly)?", "constantly",
        "steadily", "monotonic(?:ally)?", "linearly", "keeps?", "forever", "never (?:comes|goes|went|gets?|freed|released|drops)", "hours? later", "days? later", "随着", "慢慢",
        "逐渐", "一直", "不断", "持续", "постоянно", "sürekli", "계속", "aos poucos", "stopniowo", "со временем", "кажд", "mit der zeit", "stetig", "ständig", "immer weiter", "sin parar",
        "con cada", "con el tiempo", "poco a poco", "petit à petit", "à chaque", "fur et à mesure", "ad ogni", "col tempo",
        "徐々に", "ずっと", "続け",
        r"越\S{1,3}越", r"跑(?:一|几|两|三)\S?[天夜周]", "непрерывно", "постепенно", "всё время", "все время", "kontinuierlich", "nach und nach", "immer mehr", "sin cesar", "constantemente", "continuamente", "cada vez más", "sans cesse", "sans arrêt", "en continu", "continuellement", "constamment", "avec le temps", "au fil du temps", "どんどん", "だんだん", "時間とともに", "점점", "갈수록", "시간이 지나",
    ),
    "idle": (
        r"(?:no|zero|0|without|without any|not a single) (?:traffic|requests?|reqs|users?|load|queries|prompts?)", "idle", "idling", r"no\s?(?:body|one) (?:is|uses|using|sends|calls|talks)",
        "not (?:doing|serving) anything", "nothing (?:is )?running", "unused", "before (?:any|the first) request", "没有请求", "没请求", "没有任何请求", "空闲", "闲置", "无请求", "без запрос",
        "запросов нет", "запросов вообще нет", "нет запрос", "в простое", "простаива", "leerlauf", "ohne anfragen?", "keine anfragen?", "sin peticiones", "sin tráfico", "sin uso", "en reposo", "sin solicitudes",
        "sans requêtes?", "au repos", "à vide", "senza richieste", "inattivo", "sem requisiç", "ocioso", "アイドル", "リクエストがない", "リクエストなし",
    ),
    "takes": (
        "eat(?:s|ing)?", "tak(?:es?|ing)", "us(?:es?|ing|ed)", "usage", "occup(?:y|ies|ied|ying)", "reserv(?:es?|ed|ing)", "claim(?:s|ed|ing)?", "fill(?:s|ed|ing)?", "hog(?:s|ging)?",
        "grab(?:s|bed|bing)?", "alloc(?:ates?|ated|ating)", "costs?", "exceed(?:s|ed|ing)?", "spend(?:s|ing)?", "consum(?:es?|ed|ing|ption)", "need(?:s|ing)?", "shows?", "full", r"occup[aáe]\w{0,3}", "réserv-", "pèse", "alloue", "占用", "占满", "占了", "吃", "用了", "사용", "차지", "zabiera", "занимает", "жрет", "жрёт", "съедает", "забирает",
        "belegt", "frisst", "verbraucht", "braucht", "ocupa", "ocupando", "consume", "usa", "gasta", "occupe", "prend", "mange", "consomme", "utilise", "使", "占有", "食", "zajmuje",
        "잡아먹", "占め", "占据", "吃掉", "acapara", "belegen", "nimmt",
    ),
    "so-much": (
        r"(?:all|whole|entire|full|most)(?: of)?(?: the| my| our)?", "so much", "too much", "that much", r"(?:much|way|far|lot) (?:more|higher|larger|bigger)", r"(?:more|higher|beyond|over|larger) (?:than )?(?:\w{1,4} ){0,2}(?:expect|plann|estimat|calculat)(?:ed|ations?)", "比预期", "больше,? чем", "viel mehr", "mehr als erwartet", "bien plus", "plus que prévu", "mucho más", "más de lo esperado", "想定より", "예상보다", "almost (?:all|everything|full)", r"(?:[6-9]\d|100)\s?%", r"\d{2,3}(?:\.\d{1,2})?\s?(?:gi?b|gigs?|go|g)", r"\d{2,3}\s?[гГ][бБ]-",
        r"\d{4,6}\s?mi?b", "full", "全部", "几乎", "满", "这么多", "всю", "весь", "вс[её]", "почти", "столько", "(?:den )?ganzen", "komplett", "fast alles", "so viel", "tod[ao]", "casi", "tanta", "toute?", "presque", "autant",
        "tutta", "quasi", "ほぼ", "すべて",
        "전부", "모두", "거의", "全て", "整个", "всей", "почти вс", "gesamten?", "den gesamten", "casi toda", "entière",
    ),
    "small-model": (
        r"(?:only|just|tiny|small|little)[^.?!\n]{0,24}", r"(?:0\.\d|[1-9]|1[0-4])(?:\.\d)?\s?b", r"\d{2,3}m", "小模型", "模型只有", "只有", "маленьк", "небольш", "всего", "kleines?", "nur", "pequeñ", "solo", "petit", "seulement", "piccolo", "小さ",
        "작은", "작아", "很小", "klein(?:es|e|er)?", "пустяков",
    ),
    "slow": (
        "slow(?:er|ly|ness|s)?(?: down)?", "sluggish", "disappoint(?:ing|ed)", "unusabl[ey]", "hourglass", "turtle", "(?:se )?arrastra", "crawl(?:s|ing)?", r"(?:bad|poor|terrible|awful|low|disappointing|mediocre) (?:\w{1,12} ){0,2}(?:throughput|performance|speed|perf|tps|latency)",
        "throughput (?:is |of |so |very )?(?:low|bad|poor|terrible|drops?|only|just)", r"latenc(?:y|ies)\b[^.?!\n]{0,24}\b(?:high|bad|terrible|explod\w{1,3}|spik\w{1,3}|jump\w{0,3}|roof|up|grow\w{0,3}|increas\w{1,3}|seconds|minutes|worse)", "not (?:any |that |so |very |really )?fast(?:er)?", "worse than", "too low", "far (?:too low|below)", "慢", "速度低", "吞吐低", "吞吐量低", "тормоз",
        "медленн", "langsam-", "lent[oa]s?", "lente", "lentement", "lentidão", "遅い", "遅く", "woln[oy]", "powoln-", "느려", "느린",
        "lents?", "ralenti(?:t|e|s)?", "lahm-", "ползёт", "ползет", "卡顿", "重い", "もっさり",
    ),
    "low-rate": (
        r"(?:only|just|barely|merely|about|around|stuck at|at) (?:\w{1,8} ){0,2}\d{1,2}(?:\.\d{1,2})?\s?(?:tok(?:en)?s?(?:/| per |\s?p)|t/s|tps)\w{0,6}", r"0\.\d\s?tok\w{0,3}",
        r"\d{1,2}(?:\.\d)?\s?(?:tok(?:en)?s?(?:/| per | pro | por | par | al )|t/s|tps)\w{0,7}",
    ),
    "under-load": (
        "under (?:heavy |high |some |more )?load", r"load\s?test(?:s|ing)?", "concurren(?:t|cy|tly)", "parallel (?:requests|users|calls)", r"(?:many|more|several|\d{2,4}) (?:\w{1,12} ){0,3}(?:users|requests|reqs|clients|people|sessions|chats|calls|prompts)",
        "at (?:the same time|once)", "simultaneous(?:ly)?", "peak(?: hours?| time)?", "busy", "burst(?:s|y)?", "并发", "多用户", "压测", "高负载", "同时", "одновременн", "под нагрузкой", "gleichzeitig", "unter last", "bei last", "concurrentes?",
        "a la vez", "al mismo tiempo", "bajo carga", "simultané-", "en même temps", "sous charge", "contemporanea-", "同時",
        "пользовател", "nutzern?", "benutzern?", "anfragen", "usuarios", "peticiones", "utilisateurs", "requêtes", "사용자", "동시", "ユーザー", "同時アクセス", "多人", "人同时",
    ),
    "queue": (
        "wait(?:s|ing)?", "queue(?:s|d|ing)?", "pending", "pil(?:es?|ing) up", "starv(?:e|ed|ing)", "backlog", "排队", "等待", "очеред", "ждут", "warten", "warteschlange", "esperan?", "cola", "attend(?:ent)?", "file d'attente", "待ち",
        "待た", "대기", "в очеред",
    ),
    "kv-cache": (r"kv.?cache", r"kv.?缓存", "cache usage", "kv usage", "preempt(?:ed|ion|ions|s|ing)?", "抢占"),
    "cache-full": (r"(?:9\d|100)(?:\.\d)?\s?%", "full", "exhausted", "runs? out", "满", "заполн", "voll", "lleno", "plein"),
    "stuck": (
        "hang(?:s|ing)?(?: up)?", "hung", "stuck", "freez(?:e|es|ing)", "froze(?:n)?", "deadlock(?:s|ed)?", "stall(?:s|ed|ing)?", "blocks? forever", "(?:never|doesn't|does not|won't) gets? (?:past|further|beyond)", "just sits", "sits there", "nichts (?:mehr|weiter)", "never (?:starts?|comes? up|finish(?:es)?|gets? ready|becomes? ready|returns?|continues?|passes)",
        "nothing (?:happens|more|else|nothing)", "then nothing", "no (?:further )?(?:progress|output)", "stands? still", "(?:loops?|waits?|waiting|sits?|spins?) forever", "doesn't (?:move|continue|go on|progress)", "卡住", "卡死", "卡在", "卡着", "挂起", "挂住", "不动", "没反应", "无响应",
        "завис", "висит", "не двигается", "hängt", r"bleibt (?:\w{1,12} ){0,6}(?:hängen|stehen)", "cuelga", "colgad[oa]", "se queda (?:parad|bloquead|pillad)-", "atascad[oa]", "bloqu[eé]e?-", "figé", "reste (?:bloqu|coinc)", "planté", "trava(?:do|ndo)?", "congela-", "si blocca", "bloccat[oa]",
        "止ま", "固ま", "フリーズ", "進まない", "zawiesza", "wisi", "멈춰", "멈춤",
        "멈추", "안 넘어가", "停在", "一动不动", "не запускается дальше", "hängen geblieben", "(?:está|sigue|parece) parad[oa]",
    ),
    "at-start": (
        "start(?:s|up|ing|-up)?", "launch(?:es|ing)?", "init(?:iali[sz](?:e|es|ing|ation))?", "boot(?:s|ing|up)?", "load(?:s|ed|ing)?", "nccl", "ready", "bring.?up", "instantiat(?:e|ing)", r"tp\s?[=:]?\s?\d", "tensor.parallel-", "world_size", "启动", "初始化", "加载", "запус", "старт",
        "инициализ", "загруз", "starten", "beim laden", "arran(?:que|car|ca)", "iniciar?", "inicio", "cargar?", "démarr-", "lancement", "charge(?:r|ment)?", "avvio", "inicializa-", "起動", "初期化", "ロード", "시작",
        "기동", "実行", "실행", "初回", "启起来", "beim starten", "au lancement",
    ),
    "garbage": (
        "garbage", "gibberish", "nonsense", "garbled", "rubbish", "mojibake", "jibberish", "word salad", r"(?:random|mix of) (?:\w{1,10} )?(?:unicode|languages|characters?|chars|tokens?|words|letters|symbols|text)", r"repeat(?:s|ed|ing)? (?:the same |itself|output |endless|forever|token|over)\w{0,8}",
        r"repeated:?\s['\"“]\w{1,8} \w{1,8} \w{1,8}", "repetitive", "endless(?:ly)? (?:repeat-|loop)", r"(?:only |all |just )?exclamation (?:marks?|points?)", "乱码", "感叹号", "叹号", "бессмысл", "набор символов", "corrupt(?:ed)? (?:output|text|answers?)", "깨진", "胡言乱语", "胡说", "重复输出", "无限重复", "一直重复", "мусор", "бред", "ерунд", "абракадабр", "unsinn",
        "kauderwelsch", "ausrufezeichen", "zeichensalat", "basura", "galimatías", "sin sentido", "signos de exclamación", "n'importe quoi", "charabia", "spazzatura", "senza senso", "lixo", "文字化け", "意味不明", "感嘆符",
        "깨져", "깨지", "이상한 (?:글자|문자|말)", "おかしな文字", "でたらめ", "乱七八糟", "чепух", "quatsch", "wirres zeug", "du charabia", "incoherencias", "palabras sin sentido",
    ),
    "wrong-output": (
        "hallucinat(?:e|es|ed|ing|ions?)", r"(?:empty|blank|wrong|bad|incorrect|worse|incoherent|broken) (?:\w{1,10} ){0,2}(?:outputs?|answers?|responses?|repl(?:y|ies)|results?|completions?|generations?|text|strings?)", r"(?:outputs?|answers?|responses?|repl(?:y|ies)|completions?) (?:\w{1,10} ){0,4}(?:empty|blank|wrong|worse|incorrect|incoherent)", r"not (?:generat|produc|return)(?:e|ing)? (?:any |the )?(?:text|tokens?|output|answers?|anything)", r"(?:accuracy|quality|scores?) (?:\w{1,10} ){0,2}(?:drop|degrad|worse|lower|collaps)(?:s|es|ed|ped|ing)?",
        "输出(?:为|是)?空", "结果不对", "输出不对", "回答不对", "结果错误", "输出错误", "精度下降", "幻觉", "回答为空", "галлюцинир", "пуст(?:ой|ые) ответ", "неправильн\\S{1,4} ответ", "leere antwort-", "falsche antwort-", "halluzinier-", "alucina-", "respuestas? vac[ií]as?", "respuestas? incorrect-", "hallucine-", "réponses? vides?", "réponses? fausses?", "出力が(?:空|おかし)", "空の出力", "빈 (?:응답|출력)", "환각",
    ),
    "stopped": (
        "stop(?:s|ped|ping)?", "kill(?:ed|ing)?", "mate[ií]", "종료", r"ctrl.?-?\+?c(?:'?e?d)?", "crash(?:ed|ing)?", r"shut(?:ting)?\s?down", "shutdown", "exit(?:ed|ing)?", "docker (?:rm|stop|kill)", "terminat(?:ed|ing)", "removed", "deleted", "clos(?:ed|ing)", "del llm", "quit", "sigkill", "pkill", "退出",
        "关闭", "杀掉", "杀死", "停止", "终止", "结束", "уби(?:л|т)", "останов", "завершил", "закры", "beendet", "gestoppt", "abgeschossen", "gekillt", "mat(?:ar|é|o|ado)", "detuve", "detener", "cerr(?:é|ar|ado)", "arrêté", "tué", "fermé", "chiuso", "終了", "キル",
        "停了", "停掉", "关了", "关掉", "杀了", "止め", "落とし", "껐", "중지", "죽였", "выключ", "beende(?:n|t|te)", "parad[oa]", "paré", "apagu?é", "apagado", "coupé", "arrêté-", "quitté",
    ),
    "still-held": (
        "not (?:being )?(?:freed|released|free|empty|come back|given back|cleared)", r"isn't (?:freed|released|free)", r"(?:never|won't|doesn't|does not|didn't|will not|don't|can't|cannot) (?:be )?(?:free(?:d|s)?|releas(?:e|ed|es)|let go|come back|clear(?:ed)?|give back)",
        r"still (?:\w{1,10} ){0,2}(?:full|used?|in use|occup(?:y|ied|ies)|allocated|shows?|there|held|holds?|has|lists?|takes?|taken|shown|gone|blocked|sits?|alive|running|\d)-", r"(?:hold|hang|cling)(?:s|ing)? (?:on )?(?:to|onto)?", r"keep(?:s|ing)? (?:hold of|on to|onto|the|its|my|our|all|most|\d)", "memory is (?:not|still)", "stays? (?:allocated|full|used|occupied|taken|in use)", "get (?:my |the |our )?(?:gpu |v)?(?:memory|ram|vram) back", "ghost", "shows? nothing", "no process(?:es)?", "nothing (?:is )?(?:running|listed)", "orphan(?:s|ed)?", "zombie(?:s)?", r"left\s?over", "stale",
        "continua (?:ocupad|alocad)-", "해제되지", "hogging", "占用", "没有释放", "没释放", "不释放", "未释放", "释放不", "得不到释放", "没有得到释放", "还在", "не освобо", "занята", "остает", "остаёт", "всё ещё", "все еще", "nicht frei", "bleibt belegt", "immer noch", "noch belegt", "no (?:se )?liber[aó]-", "sigue", "pas libér", "toujours", "reste occup",
        "non (?:viene )?libera-", "解放され", "残って", "掴んだまま",
        "释放不掉", "不归还", "не осво", "не возвраща", "nicht frei-", "nicht zurück", "bleibt voll", "no se libera-", "sigue ocupad-", "n'est pas (?:libér|rendu)-", "戻らない", "開放され", "안 풀", "반환되지", "그대로",
    ),
    "long-time": (
        "forever", "ages", "so long", "too long", "very long", "super long", r"(?:\d{1,4}|an|one|two|three|several|many|half an|half)\s?\+?(?:min(?:ute)?s?|hours?|hrs?|h)", "hours", "extremely slow(?:ly)?", "(?:very|so|super|really|terribly|painfully) slow(?:ly)?", r"slow(?:ly)?", r"\d{1,2}(?:\.\d)?\s?m(?:i?b)?/s",
        "很慢", "太慢", "好慢", "慢", "很久", "太久", "小时", "分钟", "半天", "часов", "часа", "минут", "долго", "медленн", "stunden?", "minuten", "ewig", "lange", "langsam", "horas", "minutos", "mucho tiempo", "una eternidad", "lent[oa]?", "heures?", "minutes", "longtemps", "lente?", "lentement", "ore", "時間", "遅い", "godzin-",
    ),
    "loading": (
        "load(?:s|ing)?", "(?:safetensors )?checkpoint shards", "model load(?:ing)?", "reading (?:the )?weights", "cold start", "加载", "载入", "読み込", "ロード", "загру", "грузит", "lädt", "laden", "cargar?", "cargando", "charge(?:r|ment)?", "carica(?:re|mento)?", "carregar?", "wczyt-", "로딩",
    ),
    "crashes": (
        "crash(?:es|ed|ing)?", "dies?", "died", "dying", "fail(?:s|ed|ing|ures?)?", "errors?(?: out)?", "exception", "broken?", "blows up", "segfaults?", "aborts?", "doesn't (?:work|start|run|load)", "does not (?:work|start|run|load)", "won't (?:start|work|run|load)", "not working", "崩溃", "崩了", "报错",
        "挂了", "失败", "出错", "起不来", "не работает", "не запускается", "падает", "упал", "ошибк", "stürzt", "abgestürzt", "bricht ab", "fehler", "falla", "se cae", "error", "no (?:arranca|funciona)", "plante", "crashe", "erreur", "ne (?:marche|démarre) pas", "errore", "non (?:parte|funziona)",
        "エラー", "落ち", "クラッシュ", "起動しない", "błąd", "오류",
        "죽어", "죽음", "멎", "执行失败", "起動できない", "启动失败", "跑不起来", "вылетает", "крашится", "plantage", "se plante", "se bloquea", "no levanta", "startet nicht", "실패", "안 돼",
    ),
    "out-of-memory": (
        "out of (?:gpu |cuda |video )?(?:memory|vram)", r"ooms?", "oom(?:'?ed|'?ing)", "OutOfMemory(?:Error)?-", "(?:runs?|ran|running) out of (?:gpu )?(?:memory|vram)", r"(?:does not|doesn't|don't|won't|no longer|not|cannot|can't) fit(?: any\s?more)?", "not enough (?:gpu |video )?(?:memory|vram)", "insufficient (?:gpu )?memory",
        "显存不足", "显存不够", "爆显存", "显存溢出", "内存不足", "не хватает (?:видео)?памяти", "нехватк", "переполн", "speicher reicht nicht", "zu wenig speicher", "sin memoria", "falta de memoria", "memoria insuficiente", "mémoire insuffisante", "plus de mémoire", "manque de mémoire", "memoria esaurita", "メモリ不足",
        r"(?:\w{0,12}speicher|vram|ram) (?:reicht|langt) nicht", r"nicht (?:genug|genügend) \w{0,12}speicher", r"kein(?:en)? (?:freien )?\w{0,12}speicher", "speichermangel", "speicherüberlauf", "显存(?:炸|爆|满)了?", "显存爆", "爆内存", "炸显存", r"vram\s?(?:不足|不够|が足り|가 부족|부족)-", "памяти не хват", "не хватило (?:видео)?памяти", "недостаточно (?:видео)?памяти", "кончилась (?:видео)?память", "sin (?:suficiente )?(?:memoria|vram)", "no (?:hay|queda|tiene) (?:suficiente )?(?:memoria|vram)-", "falta (?:de )?(?:memoria|vram)", "pas assez de (?:mémoire|vram)", "manque de vram", "mémoire (?:gpu )?saturée", "メモリ(?:が)?(?:不足|足り)", r"메모리(?:가)?\s?(?:부족|모자)", "memoria insufficiente", "memória insuficiente", "sem memória",
    ),
    "same-as-before": (
        r"same (?:\w{1,10} )?(?:flags?|settings?|config(?:uration)?|command|args|arguments|parameters|model|setup|params)", "used to (?:work|fit|run|start|be)", "(?:worked|ran|fitted|fit|started|was fine|was ok|no problem) (?:fine |ok |well |perfectly )?(?:before|in|on|with|under|until)", "previously", "before the", "no longer", r"not? any\s?more", r"any\s?more", "since",
        "smaller", "more memory", "less (?:kv|room|memory)", "之前", "以前", "原来", "раньше", "vorher", "früher", "antes", "avant", "prima", "前は",
    ),
    "why": (
        "why", "how come", "wrong", "how is (?:that|this|it) possible", "how much (?:memory|vram|ram)", "how does", "(?:is|if) (?:it|this|that)(?:'s| is)? (?:normal|expected|common|usual|typical|ok(?:ay)?|a bug|a leak)", "üblich", "normal\\?", "normal", "expected", "leak", "为什么", "为啥", "什么原因", "正常吗", "почему", "зачем", "это нормально", "нормально ли", "warum", "wieso", "por qué", "porque", "es normal", "pourquoi", "c'est normal", "perché", "normale", "por que", "なぜ", "正常", "dlaczego", "왜",
        "怎么回事", "何原因", "なんで", "原因は", "как так", "из-за чего", "woran", "weshalb", "qué pasa", "d'où vient", "como es posible", "이유",
    ),
    "for-less": ("(?:use|take|need|reserve|allocate|claim|occupy|consume) less", "(?:limit|reduce|cap|restrict|lower|decrease|control)", "less memory", "减少", "降低", "限制", "уменьшить", "ограничить", "reduzieren", "begrenzen", "reducir", "limitar", "réduire", "limiter", "減ら", "制限"),
}  # fmt: skip

_CLASS = re.compile(r"(?<!\?P)<([a-z][a-z-]{1,30})>")


def expand(pattern: str) -> str:
    r"""Return a pattern with each class that it names written out.

    Raises:
        re.error: It names a class that is not here.

    >>> expand("<windows>")[:15]
    '(?:\\b(?:windows'
    """
    return _CLASS.sub(lambda found: _written(found[1]), pattern) if "<" in pattern else pattern


def names_a_class(pattern: str) -> bool:
    """Return whether a pattern holds a class of words."""
    return "<" in pattern and _CLASS.search(pattern) is not None


def one_of(*names: str) -> str:
    """Return the pattern of a word of any of the classes."""
    return _any_of(word for name in names for word in CLASSES[name])


@lru_cache(maxsize=256)
def _written(name: str) -> str:
    if name not in CLASSES:
        raise re.error(f"<{name}> is no class of words; known are {', '.join(CLASSES)}")
    return one_of(name)


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of the words; those that begin at a word's start are tried only there, which is quicker."""
    every = tuple(dict.fromkeys(words))
    plain = [_ended(word) for word in every if word[0].isascii()]
    bare = [_begun(word) for word in every if not word[0].isascii()]
    offers = [rf"\b(?:{'|'.join(plain)})"] if plain else []
    return f"(?:{'|'.join([*offers, *bare])})"


def _begun(word: str) -> str:
    """Return a word of another script, whose letters have no boundaries for `re`, nor case: its first is given both."""
    capital = word[0].upper()
    return (f"[{capital}{word[0]}]" if capital != word[0] else word[0]) + word[1:].removesuffix("-")


def _ended(word: str) -> str:
    """Return a word with the boundary behind it, where it is whole and ends with a letter that `re` takes for one."""
    is_open = word[-1] in "-%}" or not word[-1].isascii() or word.endswith("\\?")
    return word.removesuffix("-") if is_open else rf"{word}\b"
