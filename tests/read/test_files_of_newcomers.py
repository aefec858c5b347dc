"""Files that a newcomer brought, in small samples of our own: records with keys that not all have, JSON
lines in a .json file, names with commas, blank rows, line breaks in descriptions, ranks of biology.
"""

import json

import pytest

from hiermeasures.cli import main
from hiermeasures.evaluation.files import InputFile
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read import describe, read_hierarchy, read_hierarchy_text, read_labels
from hiermeasures.read.reading import explained_options, fields_to_show

YELP = [
    {"parents": [], "alias": "food", "title": "Food"},
    {"parents": ["food"], "alias": "bagels", "title": "Bagels", "country_whitelist": ["US"]},
    {"parents": ["food", "shops"], "alias": "beer", "title": "Beer, wine"},
    {"parents": [], "alias": "shops", "title": "Shops", "country_blacklist": ["MX"]},
]


def refused(text, name="h.json", **options):
    with pytest.raises(InputError) as error:
        read_hierarchy_text(text, name, **options)
    return str(error.value)


def test_records_with_optional_keys_are_records():
    h = read_hierarchy_text(json.dumps(YELP), "yelp.json")
    assert sorted(h.nodes[1:]) == ["bagels", "beer", "food", "shops"]
    assert set(h.parents("beer")) == {"food", "shops"}
    assert set(h.understood.unread) == {"country_whitelist", "country_blacklist"}
    assert h.number("Beer, wine") == h.number("beer")


@pytest.mark.parametrize(
    "text",
    [
        '[{"kind": "A", "below": ["B"]}, {"kind": "B", "below": [], "more": 1}]',
        '{"stuff": [{"kind": "A", "size": "x"}, {"kind": "B", "size": "y", "z": null}]}',
    ],
)
def test_keys_of_records_are_no_classes(text, tmp_path):
    assert "child_ids" in refused(text)  # the shapes that are read
    (tmp_path / "h.json").write_text(text)
    with pytest.raises(InputError, match="child_ids"):
        describe(tmp_path / "h.json")


def test_a_value_that_is_no_class_is_shown():
    assert "'2'" in refused('{"A": {"B": 2}}')


# --- describe ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '{"token": ["a"], "label": ["A", "B"]}\n{"token": [], "label": ["A"]}\n',
        '[{"id": "1", "label": ["A"]},\n {"id": "2", "label": ["B"]}]',
    ],
)
def test_json_lines_and_arrays_are_labels_whatever_their_ending(text, tmp_path):
    (tmp_path / "test.json").write_text(text)
    found = describe(tmp_path / "test.json").to_dict()
    assert (found["kind"], found["instances"]) == ("labels", 2)


def test_options_make_describe_read_a_hierarchy(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("hs6,hs4,kind\n280410,2804,gas\n280440,2804,gas\n730890,7308,gas\n")
    found = describe(table).to_dict()
    assert found["kind"] == "labels"
    assert any("--child" in note for note in found["notes"])
    assert main(["describe", str(table), "--levels", "hs4,hs6", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out).values()
    assert (found["kind"], found["classes"], found["unread"]) == ("hierarchy", 5, ["kind"])


# --- names ---------------------------------------------------------------------------------------


def test_a_cell_that_is_a_class_is_one_label(tmp_path):
    h = read_hierarchy_text("parent\tchild\nSounds\tWater tap, faucet\nSounds\tSpeech\n", "h.tsv")
    text = b'id,label\n1,"Water tap, faucet"\n2,"Speech, Sounds"\n3,Speech\n'
    expected = [{"Water tap, faucet"}, {"Speech", "Sounds"}, {"Speech"}]
    (tmp_path / "t.csv").write_bytes(text)
    for source in (tmp_path / "t.csv", text):
        assert list(map(set, InputFile("t.csv", source).labels(None, h).labels)) == expected
    assert set(read_labels(text).labels[0]) == {"Water tap", "faucet"}
    yelp = read_hierarchy_text(json.dumps(YELP), "yelp.json")
    assert set(read_labels(b'id,label\n1,"Beer, wine"\n', known_classes=yelp).labels[0]) == {
        "Beer, wine"
    }


def test_names_that_repeat_in_a_tree_are_known_where_they_are_unique():
    tree = {
        "name": "sea",
        "children": [{"name": "star", "children": [{"name": "rubens"}, {"name": "sea"}]}],
    }
    h = read_hierarchy_text(json.dumps(tree), "t.json")
    assert (h.nodes[h.number("rubens")], h.number("star") is None) == ("sea > star > rubens", False)
    assert h.nodes[h.number("sea")] == "sea"  # a class is called so


def test_a_name_of_several_classes_is_refused_with_them(tmp_path, capsys):
    h, t = tmp_path / "h.csv", tmp_path / "t.csv"
    h.write_text("code,title\n50,Media\n5020,Services\n502030,Media\n")
    t.write_text("id,label\n1,Services\n2,Media\n")
    assert main(f"evaluate --hierarchy {h} --true {t} --predicted {t}".split()) == 2
    assert "'50', '502030'" in capsys.readouterr().err


# --- tables --------------------------------------------------------------------------------------


def test_rows_of_commas_are_blank():
    h = read_hierarchy_text("childId,childName,parentId\n1,top,\n,,\n2,low,1\n", "t.csv")
    assert h.edges == (("1", "2"),)


ISCO = """conceptUri,code,preferredLabel,altLabels,description
x/0,0,Armed forces,,"They defend.

Tasks: ""to serve"", to fight."
x/01,01,Officers,"captain
major",one line
x/011,011,Commissioned officers,,"a
b"
"""


def test_descriptions_may_hold_line_breaks():
    h = read_hierarchy_text(ISCO, "isco.csv")
    assert (h.edges, h.title("01")) == ((("0", "01"), ("01", "011")), "Officers")


def test_a_class_with_a_line_break_is_refused():
    assert "line 3" in refused(
        ISCO.replace("x/01,01,", 'x/01,"0\n1",').replace("\n\nTasks", " Tasks"), "isco.csv"
    )


def test_a_quote_that_swallows_lines_is_refused():
    assert "line 2" in refused('code,parent,title\n1,"0,A\n2,1,B\n3,"1",C\n', "t.csv")


FAUNA = (
    '"","Species","Genus","Family","Superfamily","Infraorder","Suborder","Order","Superorder","Class"\n'
    '"1","S1","G1","F1","U1","I1","B1","O1","P1","Insecta"\n'
    '"2","S2","G2","F2","U2","I2","B2","O1","P2","Insecta"\n'
    '"3","S3","G2","F2","U2","I2","B2","O2","P2","Insecta"\n'
)


def test_ranks_of_biology_have_their_order(tmp_path):
    h = read_hierarchy_text(FAUNA, "t.csv")
    assert [column for column, _ in h.understood.columns] == (
        "Class Superorder Order Suborder Infraorder Superfamily Family Genus Species".split()
    )
    (tmp_path / "t.csv").write_text(FAUNA)
    assert describe(tmp_path / "t.csv").to_dict()["kind"] == "hierarchy"


def test_levels_in_a_hint_are_whole_and_the_top_one_first():
    names = [f"a long name of a level {k}" for k in "abcdef"]
    rows = [[f"{name[-1]}{n // 2**k}" for k, name in enumerate(names)] for n in range(64)]
    said = refused("\n".join(",".join(row) for row in [names, *rows]), "t.csv")
    assert f"--levels '{','.join(reversed(names))}'" in said


def test_reports_of_kraken_uniq_are_outlines(tmp_path):
    header = "# KrakenUniq v1.0.2\n%\treads\ttaxReads\tkmers\tdup\tcov\ttaxID\trank\ttaxName\n"
    rows = [
        "3.4\t15\t15\t52\t1.17\tNA\t0\tno rank\tunclassified",
        "96.6\t43\t0\t44\t1.86\t0.15\t1\tno rank\troot",
        "75\t34\t6\t36\t1.79\t0.15\t2\tsuperkingdom\t  Bacteria",
        "5e-05\t1\t1\t3\t1\t2.1e-06\t9606\tspecies\t  Homo sapiens",
    ]
    (tmp_path / "report.txt").write_text(header + "\n".join(rows) + "\n")
    h = read_hierarchy(tmp_path / "report.txt")
    assert (h.edges, h.title("9606")) == ((("1", "2"), ("1", "9606")), "Homo sapiens")


@pytest.mark.parametrize(
    ("text", "options", "word"),
    [
        ("code,parent\n", {}, "no rows"),
        ("a,b,c\nx,y,z\n", {"child": "a", "parent": "b", "title": "a"}, "same column"),
        ("a,b\nx,y\n", {"child": "a", "parent": "a"}, "same column"),
    ],
)
def test_a_table_without_rows_and_a_column_named_twice_are_refused(text, options, word):
    with pytest.raises(InputError, match=word):
        read_hierarchy_text(text, "t.csv", **options)


def test_in_a_form_a_refusal_names_the_fields_to_fill_in():
    with pytest.raises(InputError, match="“Levels”") as refused, explained_options():
        read_hierarchy_text("Big,Mid,Small\nA,B,C\nA,B,D\nA,E,F\nG,H,I\n", "t.csv")
    assert "--" not in str(refused.value)
    assert "levels" in fields_to_show({}, str(refused.value))
    assert fields_to_show({"child": "a"}, "any other fault") == ["child"]
    with pytest.raises(InputError, match=r"own parent$"), explained_options():
        read_hierarchy_text("A,A\n", "t.csv")


def test_bars_separate_columns_where_a_header_says_so():
    h = read_hierarchy_text("id|parent|name\n1||All\n2|1|Crops, cereals\n3|2|Rice\n")
    assert h.edges == (("1", "2"), ("2", "3"))
    assert read_hierarchy_text("code|title\nA|All\nA1|Some\n").edges == (("A", "A1"),)
    table = "low|high\nrice|crops\noats|crops\n"
    assert read_hierarchy_text(table, child="low", parent="high").edges == (
        ("crops", "rice"),
        ("crops", "oats"),
    )
    for text in (table, "A|B|C\nA|B\n"):
        with pytest.raises(InputError, match=r"line 1.*'[|]'"):
            read_hierarchy_text(text)
