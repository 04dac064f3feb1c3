from bot.model_shape import Layer, LayerKind, LayerRun
from bot.sizing.each_kind import by_run, counts

FULL, WINDOW = Layer(kind=LayerKind.FULL), Layer(kind=LayerKind.SLIDING, window=1024)


def test_layers_of_a_kind_are_counted_over_its_runs():
    runs = [LayerRun(layer=layer, count=count) for layer, count in ((WINDOW, 5), (FULL, 1), (WINDOW, 2))]

    assert [(WINDOW, 7), (FULL, 1)] == list(counts(runs))


def test_each_kind_is_asked_once_however_many_runs_it_has():
    asked = []
    runs = [LayerRun(layer=layer, count=count) for layer, count in ((WINDOW, 5), (FULL, 1)) * 3]

    found = list(by_run(runs, lambda layer: asked.append(layer) or layer.kind))

    assert [(LayerKind.SLIDING, 5), (LayerKind.FULL, 1)] * 3 == found
    assert [WINDOW, FULL] == asked
