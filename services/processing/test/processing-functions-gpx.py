"""Expected records of GPX files, read with Python's XML library: python3 processing-functions-gpx.py FOLDER > processing-functions-gpx.json"""
import json
import pathlib
import sys
import xml.etree.ElementTree as tree


def local(element):
    return element.tag.rsplit('}', 1)[-1]


def number(text):
    return None if text is None else float(text)


expected = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob('*.gpx')):
    rows = []
    for point in tree.parse(path).getroot().iter():
        if local(point) != 'trkpt':
            continue
        values = {local(child): (child.text or '').strip() for child in point}
        if values.get('time'):
            rows.append([values['time'], float(point.get('lat')), float(point.get('lon')), number(values.get('ele')), number(values.get('speed'))])
    sums = [round(sum(row[n] or 0 for row in rows), 6) for n in range(1, 5)]
    expected[path.name] = {'count': len(rows), 'first': rows[:1], 'last': rows[-1:], 'sums': sums}
print(json.dumps(expected, indent=1))
