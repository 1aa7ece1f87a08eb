import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exportOf } from './file-fixture.ts'
import { goldenCases } from './golden-cases.ts'
import { fileFormats, presetNames } from './layout.ts'
import { chosenLayout, presetsOf } from './layout-presets.ts'
import type { BuiltFile, ExportInput } from './payment-file.ts'
import { buildFile, exportFaults, planFiles } from './payment-files.ts'

const golden = (name: string) => readFileSync(new URL(`golden/${name}`, import.meta.url))
const total = 145_649

function lastFile(input: ExportInput): BuiltFile {
  expect(exportFaults(input)).toEqual([])
  const plans = planFiles(input)
  const plan = plans.at(-1)
  if (!plan) throw new Error('no file')
  return buildFile(input, plan, { modifier: 'A', first_trace: 41, sequence: 12 })
}

describe('a payment file', () => {
  it.each(Object.keys(goldenCases))('is byte for byte the golden %s, and twice the same [GB-RULE-003, GB-RULE-004]', (name) => {
    const input = goldenCases[name] ?? exportOf()
    const { bytes } = lastFile(input)
    expect(Buffer.from(bytes).toString('latin1')).toBe(golden(name).toString('latin1'))
    expect(Buffer.from(lastFile(input).bytes)).toEqual(golden(name))
  })

  it('of each format and of each layout that comes with the product has a golden one', () => {
    const inputs = Object.values(goldenCases)
    expect(new Set(inputs.map(({ format }) => format))).toEqual(new Set(fileFormats))
    const made = inputs.map(({ format, profiles }) => chosenLayout(format, profiles[0]?.layouts[format]))
    const all = new Set(fileFormats.flatMap((format) => presetsOf(format)))
    expect(all).toEqual(new Set(presetNames))
    for (const format of fileFormats) for (const preset of presetsOf(format)) expect(made).toContainEqual(chosenLayout(format, { preset }))
  })

  it('hangs on no order of its payments and profiles', () => {
    for (const input of Object.values(goldenCases)) {
      const turned = { ...input, payments: input.payments.toReversed(), profiles: input.profiles.toReversed() }
      expect(lastFile(turned).bytes).toEqual(lastFile(input).bytes)
    }
  })

  it('says who is paid how much by which entry, with sums that were read from its bytes', () => {
    const plus = lastFile(exportOf({ format: 'nacha_plus' }))
    expect(plus.name).toBe('ACH_nacha_plus_20261124_1405_A.ach')
    expect(plus.entries.map((entry) => [entry.vendor_payment_id, entry.bill_id, entry.trace_number, entry.amount])).toEqual([
      [904, null, '010000120000041', 99_999],
      [901, null, '010000120000042', 12_050],
      [903, 5004, '010000120000043', 4_525],
      [903, 5005, '010000120000044', 1_075],
      [902, null, '010000120000045', 28_000],
    ])
    expect(plus.entries[0]).toMatchObject({
      effective_date: '2026-11-27',
      account_last4: '6789',
      routing_last4: '0315',
      payment_batch_id: 302,
    })
    expect(plus.control).toEqual({ records: 30, batches: 3, entries: 5, addenda: 8, entry_hash: '0033000135', debit: 0, credit: total })
    expect(plus.last_trace).toBe(45)
    const accounting = lastFile(goldenCases['accounting.csv'] ?? exportOf())
    expect(accounting.control).toMatchObject({ batches: 2, entries: 4, credit: total })
  })
})
