/** One measurement, a line of the table. */

export interface Line {
  readonly goal: string
  readonly what: string
  readonly ours: string
  readonly reference: string
  /** Ours divided by the reference; empty if the goal is an absolute figure. */
  readonly ratio: string
  /** Undefined if there is no goal. */
  readonly holds: boolean | undefined
}

export function printTable(lines: readonly Line[]): void {
  const head = ['goal', 'what', 'ours', 'reference', 'ratio', 'holds?']
  const cells = lines.map((line) => [line.goal, line.what, line.ours, line.reference, line.ratio, verdict(line.holds)])
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => (row[at] ?? '').length)))
  const print = (row: readonly string[]) => console.log(`| ${row.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |`)
  print(head)
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  for (const row of cells) print(row)
}

function verdict(holds: boolean | undefined): string {
  if (holds === undefined) return '–'
  return holds ? 'yes' : 'NO'
}
