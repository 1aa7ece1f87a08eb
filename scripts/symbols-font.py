"""Writes src/web/ui/fonts/symbols.woff2: the arrows and signs of the console that Inter's Latin files do not have.

Run with fonttools and brotli: python3 scripts/symbols-font.py. Sizes are those of Inter: 2048 units an em, capitals 1490 high.
A sign that is added here is added to the unicode-range in src/web/ui/base.css too.
"""
from math import cos, hypot, pi, sin
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

FONTS = 'src/web/ui/fonts/'
STROKE, MIDDLE = 170, 745
inter = TTFont(FONTS + 'inter-latin.woff2')


def turned(points, clockwise=True):
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1]))
    return points if (area < 0) == clockwise else points[::-1]


def disc(x, y, radius, corners=16):
    return [(x + radius * cos(2 * pi * i / corners), y + radius * sin(2 * pi * i / corners)) for i in range(corners)]


def bar(a, b, width=STROKE):
    (ax, ay), (bx, by) = a, b
    length = hypot(bx - ax, by - ay)
    dx, dy = (by - ay) / length * width / 2, -(bx - ax) / length * width / 2
    return [(ax + dx, ay + dy), (bx + dx, by + dy), (bx - dx, by - dy), (ax - dx, ay - dy)]


def path(*points, closed=False):
    ends = points[1:] + points[:1] if closed else points[1:]
    return [bar(a, b) for a, b in zip(points, ends)] + [disc(x, y, STROKE / 2) for x, y in points]


def mirrored(shapes, width):
    return [[(width - x, y) for x, y in shape] for shape in shapes]


def triangle(left, right, low, high):
    return [(left, low), (right, low), ((left + right) / 2, high)]


def wave(y):
    return path(*[(220 + i * 92, y + 110 * sin(pi * i / 5)) for i in range(11)])


def ring(x, y):
    return path(*disc(x, y, 230, 12), closed=True)


right = path((220, MIDDLE), (1740, MIDDLE)) + path((1180, 1265), (1740, MIDDLE), (1180, 225))
equals = path((250, 980), (1110, 980)) + path((250, 520), (1110, 520))
at_least = path((250, 1330), (1110, 910), (250, 490)) + path((250, 160), (1110, 160))
corners = [(390, 235), (1410, 235), (390, 1255), (1410, 1255)]
command = sum((ring(x, y) for x, y in corners), []) + path((620, 235), (620, 1255)) + path((1180, 235), (1180, 1255)) \
    + path((390, 465), (1410, 465)) + path((390, 1025), (1410, 1025))

SIGNS = {
    '←': (1960, mirrored(right, 1960)),
    '→': (1960, right),
    '⇧': (1760, path((880, 1500), (1560, 760), (1160, 760), (1160, 80), (600, 80), (600, 760), (200, 760), closed=True)),
    '≈': (1360, wave(960) + wave(530)),
    '≠': (1360, equals + path((400, 130), (960, 1370))),
    '≤': (1360, mirrored(at_least, 1360)),
    '≥': (1360, at_least),
    '⋯': (1640, [disc(x, MIDDLE, 135) for x in (330, 820, 1310)]),
    '⌘': (1800, command),
    '⌥': (1800, path((180, 1300), (640, 1300), (1160, 190), (1620, 190)) + path((1080, 1300), (1620, 1300))),
    '■': (1500, [[(150, 145), (1350, 145), (1350, 1345), (150, 1345)]]),
    '▲': (1500, [triangle(130, 1370, 150, 1340)]),
    '△': (1500, path(*triangle(215, 1285, 215, 1200), closed=True)),
    '▸': (1100, [[(250, 345), (250, 1145), (900, MIDDLE)]]),
    '▼': (1500, [triangle(130, 1370, 1340, 150)]),
    '▾': (1100, [[(150, 1000), (950, 1000), (550, 400)]]),
    '✓': (1640, path((240, 700), (640, 270), (1400, 1260))),
    '⠿': (1100, [disc(x, y, 130) for x in (330, 770) for y in (205, MIDDLE, 1285)]),
}


def drawn(shapes):
    pen = TTGlyphPen(None)
    for shape in shapes:
        first, *rest = [(round(x), round(y)) for x, y in turned(list(shape))]
        pen.moveTo(first)
        for point in rest:
            pen.lineTo(point)
        pen.closePath()
    return pen.glyph()


def subscript_two():
    name, pen = inter.getBestCmap()[ord('2')], TTGlyphPen(None)
    glyphs = inter.getGlyphSet()
    glyphs[name].draw(TransformPen(pen, (0.62, 0, 0, 0.62, 0, -250)))
    return pen.glyph(), round(glyphs[name].width * 0.62)


names = {ord(sign): f'uni{ord(sign):04X}' for sign in [*SIGNS, '₂']}
glyphs = {'.notdef': TTGlyphPen(None).glyph(), **{names[ord(sign)]: drawn(shapes) for sign, (_, shapes) in SIGNS.items()}}
widths = {'.notdef': 1000, **{names[ord(sign)]: width for sign, (width, _) in SIGNS.items()}}
glyphs[names[ord('₂')]], widths[names[ord('₂')]] = subscript_two()
font = FontBuilder(2048, isTTF=True)
font.setupGlyphOrder(list(glyphs))
font.setupCharacterMap(names)
font.setupGlyf(glyphs)
font.setupHorizontalMetrics({name: (width, font.font['glyf'][name].xMin if glyphs[name].numberOfContours else 0) for name, width in widths.items()})
font.setupHorizontalHeader(ascent=1984, descent=-494)
font.setupOS2(sTypoAscender=1984, sTypoDescender=-494, usWinAscent=1984, usWinDescent=494)
font.setupNameTable({'familyName': 'Console Symbols', 'styleName': 'Regular'})
font.setupPost(keepGlyphNames=False)
font.font['head'].created = font.font['head'].modified = 0
font.font.recalcTimestamp = False
font.font.flavor = 'woff2'
font.save(FONTS + 'symbols.woff2')
