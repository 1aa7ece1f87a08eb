import { describe, expect, test } from 'vitest'
import { uploadHeading, uploadRow, type UploadLine } from './upload-file.ts'

const line: UploadLine = {
  record_no: 7,
  batch_code: 'HLM-2026-11',
  batch_date: '2026-11-30',
  client_short_code: 'HLM',
  division_code: 'W',
  facility_number: '12',
  vendor_number: '4711',
  vendor_name: 'Power, Light & Co',
  invoice_number: null,
  account_number: '5582-1',
  bill_date: '2026-11-05',
  due_date: '2026-11-25',
  invoice_amount: '151.00',
  line_no: 2,
  ledger_account_name: '6100 Utilities',
  ledger_values: new Map([['Cost Center', '100']]),
  amount: 5000,
  description: '=1+1',
  utility_service_name: 'Natural Gas',
  usage: '40.000',
  unit: 'therm',
  bill_id: 9,
  image_file_name: null,
}

describe('the generic upload file', () => {
  test('has a column for each ledger field between the ledger account and the amounts', () => {
    expect(uploadHeading(['Company', 'Cost Center'])).toContain('Ledger Account,Company,Cost Center,Debit,Credit')
  })

  test('quotes what holds separators, names an invoice that the vendor did not number, and runs no formula', () => {
    expect(uploadRow(line, ['Company', 'Cost Center'])).toBe(
      `7,HLM-2026-11,2026-11-30,202611,HLM,W,12,4711,"Power, Light & Co",5582-1-110526,2026-11-05,2026-11-25,151.00,2,6100 Utilities,,100,50.00,,'=1+1,5582-1,Natural Gas,40.000,therm,9,\r\n`,
    )
  })

  test('puts a negative amount into the credit column as a positive one', () => {
    expect(uploadRow({ ...line, amount: -15_100 }, [])).toContain(',6100 Utilities,,151.00,')
  })
})
