/** Tables that a page saves as CSV. Pure. */
export function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('')
}

const NUMBER = /^-?\d+(\.\d+)?$/

/** A text that a spreadsheet would run as a formula gets a quote in front, as in every other file of the console. */
function cellOf(text: string): string {
  const safe = !NUMBER.test(text) && /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
