import { expect, it } from 'vitest'
import { copyNames } from './file-names.ts'

const copy = { vendor_name: 'City Power', account_number: '00-12', date: '2026-01-05', filename: 'scan.PDF' }

it('names copies by vendor, account and date, and no two alike', () => {
  const name = copyNames()
  expect(name(copy)).toBe('City-Power_00-12_2026-01-05.pdf')
  expect(name(copy)).toBe('City-Power_00-12_2026-01-05_2.pdf')
  expect(name({ ...copy, vendor_name: 'CITY POWER' })).toBe('CITY-POWER_00-12_2026-01-05_3.pdf')
  expect(name({ ...copy, filename: 'picture.png' })).toBe('City-Power_00-12_2026-01-05.png')
})

it('holds no sign by which a name could leave its folder', () => {
  const name = copyNames()
  expect(name({ ...copy, vendor_name: '../../etc', account_number: 'a\\b:c', filename: 'x' })).toBe('etc_a-b-c_2026-01-05')
  expect(name({ ...copy, vendor_name: null, account_number: '*', filename: 'x.pdf' })).toBe('no-vendor_unnamed_2026-01-05.pdf')
  expect(name({ ...copy, vendor_name: 'Ünïted 電力'.repeat(30) }).length).toBeLessThan(100)
})
