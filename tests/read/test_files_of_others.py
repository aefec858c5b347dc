"""Files as their owners have them: each is read right, or refused with the way out."""

import json
import re
from itertools import pairwise

import pytest

from hiermeasures import Hierarchy, InputError
from hiermeasures.cli import main
from hiermeasures.hierarchy.code_rules import code_tree
from hiermeasures.read import read_hierarchy_text, write_hierarchy_text


def edges(h):
    return {(above, below) for above, below in h.edges if above != h.root or not h.virtual_root}


def ways(text):
    """Edges of paths written as A>B>C, several behind blanks."""
    return {pair for path in text.split() for pair in pairwise(path.split(">"))}


def refused(text, name="", **options):
    with pytest.raises(InputError) as raised:
        read_hierarchy_text(text, name, **options)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def listed(codes):
    return "code,title\n" + "".join(f"{code},text {k}\n" for k, code in enumerate(codes.split()))


# --- codes ----------------------------------------------------------------------------------------

CODES = {
    "HS": ("01 0101 010121 010129 02 0201 020110", "01>0101>010121 0101>010129 02>0201>020110"),
    "NAICS": (
        "21 211 22 221 23 31-33 311 3111 331 44-45 441",
        "21>211 22>221 31-33>311>3111 31-33>331 44-45>441",
    ),
    "ISCO": ("1000 1100 1110 1111 2000 2100", "1000>1100>1110>1111 2000>2100"),
    "SOC": (
        "11-0000 11-1000 11-1010 11-1011 13-0000 13-1000 13-1010",
        "11-0000>11-1000>11-1010>11-1011 13-0000>13-1000>13-1010",
    ),
    "ICD-9": (
        "E848 E849 E849.0 250 250.0 250.01 V10 V10.0",
        "E849>E849.0 250>250.0>250.01 V10>V10.0",
    ),
    "ICD-10": (
        "A00-B99 A00-A09 A00 A00.1 A15-A19 A15",
        "A00-B99>A00-A09>A00>A00.1 A00-B99>A15-A19>A15",
    ),
    "arXiv": ("cs cs.LG cs.CV math math.AG math-ph", "cs>cs.LG cs>cs.CV math>math.AG"),
    "EC": (
        "1 1.1 1.1.1 1.1.1.1 1.1.1.2 1.1.1.10",
        "1>1.1>1.1.1>1.1.1.1 1.1.1>1.1.1.2 1.1.1>1.1.1.10",
    ),
    "packages": ("a a.x.b a.x a.x.Move a.x.Mover", "a>a.x>a.x.b a.x>a.x.Move a.x>a.x.Mover"),
    "IAB": ("IAB1 IAB1-1 IAB1-10 IAB10 IAB10-1", "IAB1>IAB1-1 IAB1>IAB1-10 IAB10>IAB10-1"),
}


@pytest.mark.parametrize("name", CODES)
def test_the_parent_of_a_code_is_the_longest_beginning_that_is_listed(name):
    codes, expected = CODES[name]
    h = read_hierarchy_text(listed(codes), "codes.csv")
    assert edges(h) == ways(expected)
    assert set(h.nodes) - {"(root)"} == set(codes.split())  # no class is invented
    assert "beginning" in h.understood.rule


DOUBTFUL = {  # two trees, and the rules that give them
    "DDC": (
        "500 510 511 512 512.5",
        {"beginnings": "512>512.5", "zeros": "500>510>511 510>512>512.5"},
    ),
    "CPV": (
        "03000000-1 03100000-2 30000000-9 30100000-0 31000000-6 31100000-7",
        {
            "zeros": "03000000-1>03100000-2 30000000-9>30100000-0 30000000-9>31000000-6>31100000-7",
            "zeros:2,3,4,5,6,7,8": "03000000-1>03100000-2 30000000-9>30100000-0 "
            "31000000-6>31100000-7",
        },
    ),
    "UNSPSC": (
        "10000000 10100000 10101500 10101501 10101510 10101511 11000000",
        {
            "zeros": "10000000>10100000>10101500>10101501 10101500>10101510>10101511 "
            "10000000>11000000",
            "zeros:2,4,6,8": "10000000>10100000>10101500>10101501 10101500>10101510 "
            "10101500>10101511",
        },
    ),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_where_two_rules_give_different_trees_both_commands_are_shown(name):
    codes, rules = DOUBTFUL[name]
    message = refused(listed(codes), "codes.csv")
    for rule, expected in rules.items():
        assert f"--rule {rule}" in message
        assert edges(read_hierarchy_text(listed(codes), "codes.csv", rule=rule)) == ways(expected)


@pytest.mark.parametrize(
    ("codes", "way_out"),
    [
        ("A000 A001 A0100", "--rule"),  # codes that are billed, without their categories
        (" ".join(map(str, range(1, 91))), "--parent"),  # numbers of COCO
        ("10 101 103 20 201 202 35 350 351 400 401 55", "--parent"),  # 4 of 7 have a beginning
        ("3 17 170 1705 22 94 85 536", "--parent"),  # numbers that happen to begin alike
        ("A 01 011 B 05 051", "--parent"),  # sections of ISIC
    ],
)
def test_codes_that_tell_nothing_are_refused(codes, way_out):
    assert way_out in refused(listed(codes), "codes.csv")


def test_lengths_of_levels_and_separators_add_the_classes_between():
    h = read_hierarchy_text(listed("A000 A001 A0100"), "c.csv", rule="3,4,5")
    assert edges(h) == ways("A00>A000 A00>A001 A01>A010>A0100")
    assert h.understood.invented == ("A00", "A01", "A010")
    assert edges(read_hierarchy_text(listed("I21.0 I21.1"), "c.csv", rule=".")) == ways(
        "I21>I21.0 I21>I21.1"
    )


@pytest.mark.parametrize("rule", ["ends", "zeros:x", "beginnings:2", "1,x"])
def test_rules_that_there_are_not_are_refused(rule):
    assert re.split("[:,]", rule)[0] in refused(listed("1 11 111"), "c.csv", rule=rule)


@pytest.mark.parametrize(
    "text",
    [
        "A\n01\n011\n",  # a list without a header
        "A\tB\nA\tC\n",
        "parent,child\nA,B\n",
        "code,title,parent\n1,x,\n11,y,1\n",
        "level1,level2\nA,B\nA,C\n",
        "id,Taxon\n1,a; b\n2,a; c\n",
        "heading,tree number\nA,A01\nB,A01.100\n",
        '[{"id": "a", "parent": "b"}, {"id": "b", "parent": ""}]',
        '{"name": "a", "children": [{"name": "b", "children": [{"name": "a"}]}]}',  # paths
    ],
)
def test_a_rule_without_a_column_of_codes_is_refused(text):
    assert "--code" in refused(text, "mine.txt", rule="beginnings")


def test_numbers_named_id_are_codes_only_if_that_is_said():
    text = "id,name\n1,A\n11,B\n2,C\n21,D\n215,E\n"
    assert "--rule beginnings" in refused(text, "c.csv")
    assert edges(read_hierarchy_text(text, "c.csv", rule="beginnings")) == ways("1>11 2>21>215")


def test_an_ec_number_that_ends_unknown_is_the_class_above():
    h = Hierarchy.from_labels(["EC:1.1.1.1", "EC:1.2.-.-"])
    assert edges(h) == ways("EC:1>EC:1.1>EC:1.1.1>EC:1.1.1.1 EC:1>EC:1.2")
    h = read_hierarchy_text(listed("1 1.1 1.1.1.- 1.1.1.1"), "ec.csv")
    assert edges(h) == ways("1>1.1>1.1.1>1.1.1.1")


def test_classes_that_no_label_names_are_said_to_be_added():
    h = Hierarchy.from_labels(["E848.0", "E849.0", "250.0", "250.01"])
    assert edges(h) == ways("E848>E848.0 E849>E849.0 250>250.0>250.01")
    assert set(h.understood.invented) == {"E848", "E849", "250"}
    assert any("3 classes" in note for note in h.notes)


def test_codes_of_any_length_and_number_take_little_time():
    codes = [f"{'9' * (k % 60)}{k}" for k in range(20_000)]
    with pytest.raises(InputError):
        code_tree([*codes, "x" * 1000])
    ranges = [f"A{k:06d}-A{k + 9:06d}" for k in range(0, 30_000, 10)]
    tree = code_tree([*ranges, *(f"A{k:06d}" for k in range(0, 30_000, 7))])
    assert tree.parents["A000007"] == "A000000-A000009"


# --- JSON -----------------------------------------------------------------------------------------

TREE = {
    "name": "Entity",
    "children": [{"name": "Cat", "size": 3}, {"name": "Dog", "children": [{"name": "Pug"}]}],
}
JSON = {
    "records": (
        [{"id": "animal", "parent": "entity"}, {"id": "cat", "parent": "animal"}],
        "entity>animal>cat",
    ),
    "numbers": (
        [{"id": 1, "parent_id": 0, "name": "A"}, {"id": 2, "parent_id": 1, "name": "B"}],
        "1>2",
    ),
    "several parents": (
        [
            {"id": "a", "parents": []},
            {"id": "b", "parents": []},
            {"id": "c", "parents": ["a", "b"]},
        ],
        "a>c b>c",
    ),
    "AudioSet": (
        [
            {"id": "/m/1", "name": "Sound", "child_ids": ["/m/2"]},
            {"id": "/m/2", "name": "Cat", "child_ids": []},
        ],
        "/m/1>/m/2",
    ),
    "d3": (TREE, "Entity>Cat Entity>Dog>Pug"),
    "ECharts": (
        [{"name": "A", "id": 1, "value": 2.5, "children": [{"name": "B", "id": 2}]}],
        "A>B",
    ),
    "deeper": (
        {"name": "A", "children": [{"name": "B", "children": [{"name": "C", "children": []}]}]},
        "A>B>C",
    ),
    "Open Images": (
        {
            "LabelName": "0",
            "Subcategory": [
                {"LabelName": "1"},
                {"LabelName": "2", "Subcategory": [{"LabelName": "1"}]},
            ],
        },
        "0>1 0>2>1",
    ),
    "COCO": (
        {
            "info": {},
            "images": [],
            "categories": [
                {"id": 2, "name": "bicycle", "supercategory": "vehicle"},
                {"id": 3, "name": "cat", "supercategory": "animal"},
            ],
        },
        "vehicle>bicycle animal>cat",
    ),
    "COCO's person": (
        [
            {"supercategory": "person", "id": 1, "name": "person"},
            {"supercategory": "vehicle", "id": 2, "name": "bicycle"},
        ],
        "vehicle>bicycle",
    ),
    "by id": (
        {"n1": {"name": "cat", "parent": "n2"}, "n2": {"name": "animal", "parent": None}},
        "n2>n1",
    ),
    "ours": ({"A": {"B": ["T1"], "C": None}}, "A>B>T1 A>C"),
}


@pytest.mark.parametrize("name", JSON)
def test_json_of_other_tools_is_what_it_says(name):
    document, expected = JSON[name]
    assert edges(read_hierarchy_text(json.dumps(document), "h.json")) == ways(expected)


def test_what_is_not_read_of_a_tree_is_named_and_titles_are_other_names():
    h = read_hierarchy_text(json.dumps(TREE))
    assert (h.understood.columns, h.understood.unread) == ((("name", "child"),), ("size",))
    h = read_hierarchy_text(json.dumps(JSON["AudioSet"][0]))
    assert dict(h.understood.columns) == {"id": "child", "name": "title", "child_ids": "child ids"}
    assert h.index("Cat") == h.index("/m/2")


def test_names_that_repeat_in_a_tree_are_paths():
    below = '"children": [{"name": "Other"}]'
    tree = '{"name": "A", "children": [{"name": "B", %s}, {"name": "%s", %s}]}'
    assert read_hierarchy_text(tree % (below, "C", below)).leaves == {
        "A > B > Other",
        "A > C > Other",
    }
    assert "'A > B'" in refused(tree % (below, "B", below))


ROWS = json.dumps([{"a": "x", "b": "y"}, {"a": "z", "b": "y"}])
NAMES = '{"cat": "mammal", "dog": "mammal", "mammal": "animal"}'
GROUPS = '{"cs.AI": {"group": "CS", "name": "AI"}, "cs.LG": {"group": "CS", "name": "Learning"}}'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (NAMES, "--child key --parent value"),
        (ROWS, "--child KEY --parent KEY"),
        (GROUPS, "--child KEY"),
        ('[{"id": "1", "label": "cat"}, {"id": "2", "label": "dog"}]', "child_ids"),
        ('[{"id": "a", "child_ids": ["b"]}, {"id": "c", "child_ids": []}]', "'b'"),
        ('{"name": "A", "children": [{"size": 3}]}', "no name"),
        ('{"code": "2000", "subclasses": ["0"]}', "object 2 no id"),
        ('{"name": "A", "children": [{"id": "B"}]}', "object 2 no name"),
        ('{"id": "1", "name": "A", "children": [{"name": "B"}, {"id": "2"}]}', "object 2 no id"),
    ],
)
def test_records_of_no_shape_are_refused_with_the_way_out(text, words):
    message = refused(text, "h.json")
    assert all(word in message for word in words.split())


def test_keys_of_records_may_be_named():
    found = read_hierarchy_text(NAMES, child="key", parent="value")
    assert edges(found) == ways("animal>mammal>cat mammal>dog")
    assert edges(read_hierarchy_text(ROWS, child="a", parent="b")) == ways("y>x y>z")


# --- tables ---------------------------------------------------------------------------------------

TABLES = {
    "fine": ("fine,coarse\napple,fruit\npear,fruit\n", "fruit>apple fruit>pear"),
    "subcategory": ("subcategory,category\napple,fruit\npear,fruit\n", "fruit>apple fruit>pear"),
    "hscode": ("hscode,description\n01,Live\n0101,Horses\n", "01>0101"),
    "ESCO": (
        "conceptType,conceptUri,broaderType,broaderUri\nS,x/A,S,x/B\nS,x/B,S,x/C\n",
        "x/C>x/B>x/A",
    ),
    "HS": ("section,hscode,description,parent,level\nI,01,Live,TOTAL,2\nI,0101,Horses,01,4\n", "TOTAL>01>0101"),
    "HS with its root": (
        "section,hscode,description,parent,level\nTOTAL,TOTAL,All,TOTAL,0\nI,01,Live,TOTAL,2\nI,0101,Horses,01,4\n",
        "TOTAL>01>0101",
    ),
    "IAB below a title": (
        "Relational ID System\t\t\tTaxonomy v2\t\tExtension\nUnique ID\tParent\tName\tTier "
            "1\tTier 2\t\n"
        "1\t\tAuto\tAuto\t\t\n2\t1\tBody\tAuto\tBody\tx\n",
        "1>2",
    ),
    "UNSPSC": ("Key,Parent "
        "key,Code,Title\n7,,A,Goods\n8,7,10000000,Plants\n9,8,10100000,Trees\n", "7>8>9"),
    "several": ("id,parent,title\nx/A,x/B|x/C,t\nx/B,,b\nx/C,,c\n", "x/B>x/A x/C>x/A"),
    "quoted": ('id,parent,title\nA,"B,C",t\nB,,b\nC,,c\n', "B>A C>A"),
    "zero": ("id,parent_id,name\n1,0,A\n2,1,B\n3,-1,C\n", "1>2"),
    "zero alone": ("id,parent_id\n7,0\n8,7\n", "7>8"),
    "zero listed": ("code,parent,name\n0,,A\n1,0,B\n", "0>1"),
    "IAB": ("Unique ID\tParent\tName\tTier 1\tTier "
        "2\n1\t\tAuto\tAuto\t\n2\t1\tBody\tAuto\tBody\n", "1>2"),
    "order": (
        f"{'00001 A00     0 Cholera':<77}Cholera\n{'00002 A000    1 Cholera, cholerae':<77}Cholera, biovar cholerae\n",
        "A00>A000",
    ),
    "fixed": ("A00     Cholera\nA000    Cholera due to, biovar x\nA01     Typhoid\n", "A00>A000"),
    "Kraken": (
        "  1.00\t10\t10\tU\t0\tunclassified\n 99.00\t990\t0\tR\t1\troot\n 99.00\t990\t0\tD\t2\t  "
            "Bacteria\n"
        " 50.00\t500\t500\tP\t1224\t    Proteobacteria\n 49.00\t490\t490\tP\t1239\t    Bacillota\n",
        "1>2>1224 2>1239",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_others_are_what_they_say(name):
    text, expected = TABLES[name]
    assert edges(
        read_hierarchy_text(text, "t.csv" if "," in text and "\t" not in text else "t.txt")
    ) == ways(expected)


RANKS = {
    "words": "Category,Subcategory,Item\nFood,Fruit,Apple\nFood,Fruit,Pear\nFood,Veg,Leek\n",
    "UNSPSC": "Segment,Family,Class,Commodity\nA,B,C,D\nA,B,C,E\nA,B,F,G\nA,H,I,J\nK,L,M,N\n",
    "NACE": "Section,Division,Group,Class\nA,01,01.1,01.11\nA,01,01.1,01.12\nA,01,01.2,01.21\nA,02,02.1,02.10\n",
    "another order": "genus,family\nFelis,Felidae\nPanthera,Felidae\nCanis,Canidae\n",
    "HLCA": "ann_level_1,ann_level_2\nImmune,Myeloid\nImmune,Lymphoid\n",
}
LEVELS = {
    "words": ["Category", "Subcategory", "Item"],
    "UNSPSC": ["Segment", "Family", "Class", "Commodity"],
    "NACE": ["Section", "Division", "Group", "Class"],
    "another order": ["family", "genus"],
    "HLCA": ["ann_level_1", "ann_level_2"],
}


@pytest.mark.parametrize("name", RANKS)
def test_the_order_of_levels_follows_the_data(name):
    h = read_hierarchy_text(RANKS[name], "t.csv")
    assert [column for column, _ in h.understood.columns] == LEVELS[name]
    assert h.depth == len(LEVELS[name]) - (not h.virtual_root)


def test_titles_of_levels_are_titles():
    text = "Segment,Segment Title,Family,Family Title\n10,Plants,1010,Trees\n10,Plants,1011,Herbs\n"
    h = read_hierarchy_text(text, "t.csv")
    assert (h.title("10"), h.title("10 > 1011"), h.understood.unread) == ("Plants", "Herbs", ())


@pytest.mark.parametrize(
    ("text", "ways_out"),
    [
        ("small,big\napple,fruit\npear,fruit\n", ["--child 'small' --parent 'big'"]),
        ("isco,label\n1,Managers\n11,Chiefs\n", ["--code 'isco' --title 'label'"]),
        ("Big,Mid,Small\nA,B,C\nA,B,D\nA,E,F\nG,H,I\n", ["--levels 'Big,Mid,Small'"]),
        ("a\tb\tc\td\n1\t2\t3\t4\n5\t6\t7\t8\n", ["--child", "--levels"]),
        ("family,genus,species_name\nA,B,C\nA,B,D\n", ["--levels", "species_name"]),
        ("genus,family\nA,B\n", ["--levels"]),
        ("x,ORDER1,FAMILY,SPECIES_CODE\n1,A,B,C\n2,A,D,E\n", ["--levels", "SPECIES_CODE"]),
        (
            "IAB Code,Tier,IAB Category\nIAB1,Tier 1,Arts\nIAB1-1,Tier 2,Books\n",
            ["--code 'IAB Code'"],
        ),
        ("11\tFarms\n111\tCrops\n112\tAnimals\n", ["code,title", "parent,child"]),
        ("ESCO,parent_a,parent_b,id\n1,2,3,4\n", ["--parent"]),
    ],
)
def test_unknown_headers_are_refused_with_the_way_out(text, ways_out):
    message = refused(text, "t.csv")
    assert "line 1" in message
    for way_out in ways_out:
        assert way_out in message


def test_columns_may_be_named():
    assert edges(read_hierarchy_text("a,b,c\nx,y,1\n", child="a", parent="b")) == ways("y>x")
    h = read_hierarchy_text("isco,label\n1,Managers\n11,Chiefs\n", code="isco", title="label")
    assert (edges(h), h.title("11")) == (ways("1>11"), "Chiefs")
    assert read_hierarchy_text("b,a\ny,x\nz,x\n", levels="a,b").leaves == {"x > y", "x > z"}
    assert "unknown column 'd'" in refused("a,b,c\nx,y,1\n", child="d", parent="b")
    assert "--child needs --parent" in refused("a,b,c\nx,y,1\n", child="a")
    assert "child is for" in refused('{"A": ["B"]}', child="a", parent="b")


def test_edges_whose_first_one_stands_alone_are_written_with_a_header():
    h = Hierarchy.from_edges([("A", "B"), ("C", "D")])
    text = write_hierarchy_text(h, "edges")
    assert text.startswith("parent\tchild\n")
    assert read_hierarchy_text(text) == h


def test_the_command_line_names_columns(tmp_path, capsys):
    path = tmp_path / "h.csv"
    path.write_text("small,big\napple,fruit\npear,fruit\n")
    command = f"score {path} --true apple --predicted pear --measures hF --json".split()
    assert main(command) == 2
    assert "--child 'small' --parent 'big'" in capsys.readouterr().err
    assert main([*command, "--child", "small", "--parent", "big"]) == 0
    # fruit of {fruit, apple} and {fruit, pear}
    assert json.loads(capsys.readouterr().out) == {"hF": 0.5}


# --- text that is pasted --------------------------------------------------------------------------

PASTED = {
    "bullets": "- Animals\n  - Mammals\n    - Dog\n  - Birds\n",
    "stars": "* Animals\n    * Mammals\n        * Dog\n    * Birds\n",
    "numbers": "1. Animals\n   1. Mammals\n      1. Dog\n   2. Birds\n",
    "Markdown": "# Animals\n\n## Mammals\n### Dog\n## Birds\n",
    "YAML": "Animals:\n  Mammals:\n    - Dog\n  Birds:\n",
    "YAML items": "Animals:\n- Mammals:\n  - Dog\n- Birds\n",
    "headings": "1 Animals\n1.1 Mammals\n1.1.1 Dog\n1.2 Birds\n",
    "headings with points": "1. Animals\n1.1. Mammals\n1.1.1. Dog\n1.2. Birds\n",
}


@pytest.mark.parametrize("name", PASTED)
def test_what_teachers_paste_is_an_outline(name):
    assert edges(read_hierarchy_text(PASTED[name])) == ways("Animals>Mammals>Dog Animals>Birds")


def test_what_is_no_outline_is_refused_with_its_line():
    assert "line 2: " in refused("1 Animals\n2.1 Dog\n")
    assert "line 3" in refused("Animals:\n  Dog:\n    size: 3\n", "h.yaml")


def test_paths_are_read_however_they_are_listed():
    types = read_hierarchy_text("/person\n/person/artist\n/location/city\n")
    assert edges(types) == ways("/person>/person/artist /location>/location/city")
    h = read_hierarchy_text('[["Eukarya", "Fungi"], ["Bacteria"]]')
    assert edges(h) == {("Eukarya", "Eukarya > Fungi")}
    text = "# Shopify\ngid://shopify/TaxonomyCategory/ap : Pets\ngid://shopify/TaxonomyCategory/ap-1 : Pets > Live, all\n"
    assert edges(read_hierarchy_text(text, "categories.txt")) == {("Pets", "Pets > Live, all")}
