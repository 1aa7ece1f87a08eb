/**
 * Lowers the confidence of recognised numbers and dates: no sum detects a misread digit of them, so they are certain only if they are
 * printed twice, or if their letters are certain.
 */
import type { ReadBillField } from '#contract/bill-reading/bill-reading.ts'
import type { ChosenField } from './choose-values.ts'
import { UNSURE } from './judge-dates.ts'
import { areLettersSure, lettersAt } from './letters-at.ts'
import type { Sheet } from './page-lines.ts'
import { allPrinted } from './printed-values.ts'
import { lettersAndDigits } from './same-value.ts'

const numbers: ReadonlySet<ReadBillField> = new Set(['account_number', 'invoice_number'])
const dates: ReadonlySet<ReadBillField> = new Set(['date', 'due_date'])

export function judgeLetters(fields: readonly ChosenField[], sheets: readonly Sheet[]): ChosenField[] {
  return fields.map((field) => {
    const isRecognised = sheets.some((sheet) => sheet.page === field.place?.page && sheet.source === 'ocr')
    if (!isRecognised) return field
    const isDoubtful =
      (numbers.has(field.field) && !standsTwice(field.value, sheets)) ||
      (dates.has(field.field) && !areLettersSure(lettersAt(sheets, field.place)))
    return isDoubtful ? { ...field, confidence: Math.min(field.confidence, UNSURE) } : field
  })
}

function standsTwice(value: string, sheets: readonly Sheet[]): boolean {
  const wanted = lettersAndDigits(value)
  const found = sheets.flatMap((sheet) =>
    sheet.lines.flatMap((line) => allPrinted('identifier', line.tokens).filter((printed) => lettersAndDigits(printed.value) === wanted)),
  )
  return found.length > 1
}
