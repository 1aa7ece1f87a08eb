import type { BillValues } from './bill-values.ts'
import { same } from './same.ts'

/** Whether a replacement repeats the bill that it replaces: what is beside its figures, such as notes and copies, may differ. */
export function correctsNothing(values: BillValues, base: BillValues): boolean {
  return values.rebill_of_id !== null && values.rebill_mode === 'replace' && same(figuresOf(values), figuresOf(base))
}

function figuresOf(values: BillValues) {
  const { qc: _qc, parked: _parked, notes: _notes, files: _files, settled: _settled, rebill_mode: _mode, ...figures } = values
  return { ...figures, lines: values.lines.map(({ notes: _lineNotes, ...line }) => line) }
}
