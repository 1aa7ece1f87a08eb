/** Parts of drawn bills: pairs of words, tables, running text. */
import type { Ink, Paper } from './paper.ts'

/** Draws labels beside their values, each pair on a line of its own. */
export function pairs(
  sheet: Paper,
  at: { readonly x: number; readonly y: number; readonly step?: number; readonly end?: number; readonly valueAt?: number },
  rows: readonly (readonly [string, string])[],
  ink: Ink = {},
): void {
  for (const [place, [label, value]] of rows.entries()) {
    const y = at.y + place * (at.step ?? 14)
    sheet.text(at.x, y, label, ink)
    if (at.end !== undefined) sheet.text(at.end, y, value, { ...ink, align: 'right' })
    else sheet.text(at.valueAt ?? at.x + 120, y, value, ink)
  }
}

/** Rows of cells, a column at each x. */
export function table(
  sheet: Paper,
  at: { readonly y: number; readonly columns: readonly number[]; readonly step?: number },
  rows: readonly (readonly string[])[],
  ink: Ink = {},
): void {
  for (const [row, cells] of rows.entries())
    for (const [column, cell] of cells.entries())
      if (cell !== '') sheet.text(at.columns[column] ?? 0, at.y + row * (at.step ?? 13), cell, ink)
}

/** Running text, broken where a line has so many letters. @returns the place of the next line. */
export function paragraph(
  sheet: Paper,
  at: { readonly x: number; readonly y: number; readonly letters: number },
  text: string,
  ink: Ink = {},
): number {
  let [line, y] = ['', at.y]
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length + 1 > at.letters) {
      sheet.text(at.x, y, line, ink)
      y += (ink.size ?? 9) + 4
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  sheet.text(at.x, y, line, ink)
  return y + (ink.size ?? 9) + 4
}
