/** A drawing as a separate picture: with a background, its title and its description. */
const SVG = 'http://www.w3.org/2000/svg'
const MARGIN = 16
const TITLE_SIZE = 16
const LINE_SIZE = 12
const LINE_HEIGHT = 20

/** Returns the text of an SVG file. The first of the lines is the title. Colours are those of the page's theme, already resolved. */
export function pictureOf(drawing: SVGSVGElement, lines: readonly string[]): string {
  const { width, height } = drawing.getBoundingClientRect()
  const page = getComputedStyle(document.body)
  const top = MARGIN + lines.length * LINE_HEIGHT
  const size = { width: Math.round(width) + 2 * MARGIN, height: Math.round(height) + top + MARGIN }
  const picture = element('svg', { ...size, viewBox: `0 0 ${size.width} ${size.height}`, 'font-family': page.fontFamily })
  picture.append(element('rect', { ...size, fill: page.backgroundColor }))
  for (const [place, line] of lines.entries()) {
    const isTitle = place === 0
    const text = element('text', {
      x: MARGIN,
      y: MARGIN + TITLE_SIZE - 2 + place * LINE_HEIGHT,
      fill: page.color,
      'font-size': isTitle ? TITLE_SIZE : LINE_SIZE,
      'font-weight': isTitle ? 600 : 400,
    })
    text.textContent = line
    picture.append(text)
  }
  const inner = element('svg', { x: MARGIN, y: top, width, height })
  inner.append(...[...drawing.childNodes].map((node) => node.cloneNode(true)))
  picture.append(inner)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}\n`
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}
