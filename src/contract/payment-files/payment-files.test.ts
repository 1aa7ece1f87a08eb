import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { bankingDaysAfter, effectiveDate, isBankingDay } from './banking-days.ts'
import { bill, bright, cityPower, exportOf, harborGas, harvest, payment, profile, secondProfile } from './file-fixture.ts'
import { accountDigits, bankText } from './file-text.ts'
import { goldenCases } from './golden-cases.ts'
import { checkLayout } from './layout-check.ts'
import type { ReadRow } from './layout-sums.ts'
import { entriesAgree, offsetsAgree, rowsAgree } from './file-agrees.ts'
import { profilesById } from './file-groups.ts'
import { nachaBatches, type NachaBatch } from './nacha-batches.ts'
import { chosenLayout } from './layout-presets.ts'
import { fileFormats, layout } from './layout.ts'
import type { ColumnSource } from './layout-sources.ts'
import { checkNacha, type ReadEntry } from './nacha-check.ts'
import type { ExportInput, PaymentForFile, ProfileForFile, VendorForFile } from './payment-file.ts'
import { buildFile, exportFaults, filesPerDayMax, firstTraceAfter, modifierAt, planFiles, profileOfPayer } from './payment-files.ts'

/** Thousands of files are read; the long run reads a hundred times as many. */
const slowMs = 120_000 * Math.max(1, propertyRuns / 1_000)
const marks = `.-/&',()#`
const golden = (name: string) => readFileSync(new URL(`golden/${name}`, import.meta.url), 'latin1')
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const allSources = [
  'payment_number',
  'bill_id',
  'amount_paid',
  'batch_id',
  'account_number',
  'payment_amount',
] as const satisfies readonly ColumnSource[]
const codes = (input: ExportInput) => exportFaults(input).map((fault) => fault.code)

describe('the checker of NACHA files', () => {
  const files = ['standard.ach', 'nacha_plus.ach', 'nacha_plus-balanced.ach']
  const isRefused = (text: string) => checkNacha(bytesOf(text), { line_end: 'lf', marks }).read === null

  it('takes the golden files, and only with the line ends of the bank', () => {
    for (const name of files) expect(checkNacha(bytesOf(golden(name)), { line_end: 'lf', marks }).faults).toEqual([])
    expect(checkNacha(bytesOf(golden('standard-balanced-crlf.ach')), { line_end: 'crlf', marks }).faults).toEqual([])
    expect(checkNacha(bytesOf(golden('standard-without-line-ends.ach')), { line_end: 'none', marks }).faults).toEqual([])
    expect(isRefused(golden('standard-without-line-ends.ach'))).toBe(true)
  })

  it(
    'refuses each file in which one byte is none of the bank’s characters, or one digit of what is counted, summed or checked is another',
    () => {
      // Ranges in each type of record; the other fields are free: names, dates, a trace number that still ascends.
      const guarded: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
        '1': [
          [1, 13],
          [35, 40],
        ],
        '5': [
          [1, 4],
          [41, 50],
          [79, 94],
        ],
        '6': [
          [1, 1],
          [4, 12],
          [30, 39],
          [79, 87],
        ],
        '7': [
          [1, 3],
          [84, 94],
        ],
        '8': [
          [1, 54],
          [80, 94],
        ],
        '9': [[1, 55]],
      }
      const taken: string[] = []
      let tried = 0
      const attempt = (text: string, at: number, letter: string, name: string) => {
        tried += 1
        if (!isRefused(text.slice(0, at) + letter + text.slice(at + 1))) taken.push(`${name} ${at} ${letter}`)
      }
      for (const name of files) {
        const text = golden(name)
        for (let at = 0; at < text.length; at += 1) {
          if (at % 3 === 0) attempt(text, at, at % 2 === 0 ? '\u0007' : 'q', name)
          const line = Math.floor(at / 95)
          const place = (at % 95) + 1
          const letter = text[at] ?? ''
          const isGuarded = (guarded[text[line * 95] ?? ''] ?? []).some(([from, to]) => place >= from && place <= to)
          if (isGuarded && /\d/.test(letter)) for (const by of [1, 7]) attempt(text, at, String((Number(letter) + by) % 10), name)
        }
      }
      expect(taken).toEqual([])
      expect(tried).toBeGreaterThan(4_000)
    },
    slowMs,
  )

  it('refuses a record that is missing, doubled or out of its place, and fields that break a rule', () => {
    for (const name of files) {
      const lines = golden(name).trimEnd().split('\n')
      const whole = (changed: readonly string[]) => {
        const filled = [...changed]
        while (filled.length % 10 !== 0) filled.push('9'.repeat(94))
        return filled.map((line) => `${line}\n`).join('')
      }
      const used = lines.findIndex((line) => line.startsWith('9')) + 1
      for (let at = 0; at < used; at += 1) {
        expect(isRefused(whole(lines.toSpliced(at, 1)))).toBe(true)
        expect(isRefused(whole(lines.toSpliced(at, 0, lines[at] ?? '')))).toBe(true)
        const [one = '', two = ''] = lines.slice(at, at + 2)
        if (at + 1 < used && one !== two) expect(isRefused(whole(lines.toSpliced(at, 2, two, one)))).toBe(true)
      }
    }
    const text = golden('nacha_plus.ach')
    const changes: readonly (readonly [string, string])[] = [
      ['CCDUTIL', 'PPDUTIL'],
      ['CCDUTIL PYMT', 'CCDPAYROLL  '],
      ['261127   1', '261128   1'],
      ['261127   1', '261126   1'],
      ['261127   1', '261123   1'],
      ['261127   1', '      127 1'.slice(0, 10)],
      ['12.50\\', '12.51\\'],
      ['RMR*IV*INV-9**', 'RMR*XX*INV-9**'],
      ['RMR*IV*INV-9**', 'RMR*IV*    **'.padEnd(14, '*')],
      ['120.50*120.50', '120.51*120.50'],
      ['BPR*C*280.00', 'BPR*C*280.01'],
      ['*01*070000315*', '*01*060000215*'],
      ['*000123456789*', '*000123456780*'],
      ['SE*13*0001', 'SE*12*0001'],
      ['622070000315000123456789     0000028000', '632070000315000123456789     0000028000'],
      ['*DA*000123456789', '*SG*000123456789'],
      ['70520261125\\TRN', '70520261126\\TRN'],
      ['REF*12*55-5002', 'REF*11*55-5002'],
      ['DTM*003*20261105', 'DTM*003*20261305'],
      ['**-20.00*', '**-20.01*'],
      ['VP-904         ', '               '],
      ['CITY POWER & LIGHT COM', ' CITY POWER & LIGHT CO'],
      ['CITY POWER & LIGHT COM', '                      '],
      ['BRIGHT FIELD SCH', '0000000000000000'],
      ['1555666777CCD', '155566677 CCD'],
      ['1405A', '2405A'],
      ['1405A', '1405-'],
      ['2611241405', '2613241405'],
    ]
    for (const [from, to] of changes.filter(([one]) => text.includes(one)))
      expect([to, isRefused(text.replace(from, to))]).toEqual([to, true])
    expect(changes.filter(([from]) => !text.includes(from)).map(([from]) => from)).toEqual(['12.50\\'])
  })

  it('refuses an 820 whose company is not that of the batch, and one whose payment is not that of the entry', () => {
    const text = golden('nacha_plus.ach')
    const [order, trace] = ['CTX*****1123456789**01', 'TRN*1*VP-902*1123456789']
    const other = text.replace(order, order.replace('1123456789', '1555666777')).replace(trace, trace.replace('1123456789', '1555666777'))
    expect(checkNacha(bytesOf(other), { line_end: 'lf', marks }).faults).toEqual([
      'Batch 3, entry 1: BPR or TRN names another company than the batch.',
    ])
    expect(checkNacha(bytesOf(text.replace(trace, 'TRN*1*VP-901*1123456789')), { line_end: 'lf', marks }).faults).toEqual([
      'Batch 3, entry 1: TRN names another payment than the entry.',
    ])
  })

  it('refuses a trace number that stands in two batches', () => {
    const text = golden('standard.ach')
    expect(text.match(/010000120000042$/gm)).toHaveLength(1)
    expect(isRefused(text.replace('010000120000042', '010000120000041'))).toBe(true)
  })
})

describe('what was read', () => {
  const input = exportOf({})
  const [batch] = nachaBatches(input.payments, profilesById(input), input.moment, false)
  const [entry] = batch?.entries ?? []

  it('is the payment of its place in each thing that it says', () => {
    if (!batch || !entry) throw new Error('the example has no entry')
    const one: NachaBatch = { ...batch, entries: [entry] }
    const { vendor } = entry.payment
    const read: ReadEntry = {
      sec: 'CCD',
      code: '22',
      routing_number: vendor.routing_number ?? '',
      account_number: '000123456789',
      amount: entry.amount,
      identification: `VP-${entry.payment.id}`,
      receiver: 'CITY POWER & LIGHT COM',
      remittance: '',
      trace_number: '010000120000041',
      effective_date: batch.effective_date,
      company_name: batch.company_name,
    }
    const stored = [{ trace_number: '010000120000041' }]
    expect(entriesAgree([one], [read], stored)).toBe(true)
    const others: Partial<ReadEntry>[] = [
      { sec: 'CTX' },
      { code: '32' },
      { routing_number: '060000215' },
      { account_number: '000123456780' },
      { amount: entry.amount + 1 },
      { identification: 'VP-1' },
      { receiver: 'HARBOR GAS COLLECTIONS' },
      { receiver: '' },
      { receiver: 'CITY POWER & LIGHT CO' },
      { remittance: 'RMR*IV*INV-9**120.50*120.50\\' },
      { trace_number: '010000120000042' },
      { effective_date: '2026-11-30' },
      { company_name: 'HARVEST LANE' },
    ]
    for (const other of others) expect([other, entriesAgree([one], [{ ...read, ...other }], stored)]).toEqual([other, false])
    expect(entriesAgree([one], [read, read], stored)).toBe(false)
  })

  it('debits a balanced batch once, with its sum, at the account of its payer', () => {
    if (!batch) throw new Error('the example has no batch')
    const balanced: NachaBatch = { ...batch, profile: { ...batch.profile, balanced: true } }
    const { profile, total } = balanced
    const debit = {
      code: '27',
      routing_number: profile.routing_number ?? '',
      account_number: accountDigits(profile.account_number ?? ''),
      amount: total,
      identification: 'OFFSET',
      receiver: balanced.company_name,
      trace_number: '010000120000042',
    }
    const stored = [{ trace_number: '010000120000041' }]
    expect(offsetsAgree([balanced], [debit], stored)).toBe(true)
    expect(offsetsAgree([batch], [], stored)).toBe(true)
    const others = [
      { code: '37' },
      { routing_number: '060000215' },
      { account_number: '1' },
      { amount: total + 1 },
      { identification: 'VP-1' },
      { receiver: 'HARVEST LANE' },
      { trace_number: '010000120000041' },
    ]
    for (const other of others) expect([other, offsetsAgree([balanced], [{ ...debit, ...other }], stored)]).toEqual([other, false])
    expect(offsetsAgree([balanced], [], stored)).toBe(false)
    expect(offsetsAgree([batch], [debit], stored)).toBe(false)
  })

  it('pays more than zero to an account', () => {
    const chosen = chosenLayout('ach_bank', undefined)
    if (chosen.family === 'nacha') throw new Error('the bank’s own format has rows')
    const text = golden('ach_bank.csv')
    const read = (amount: string) => checkLayout(bytesOf(text.replace(/\d+\.\d\d\r/, `${amount}\r`)), chosen.layout).read
    expect(read('0.01')).not.toBeNull()
    for (const amount of ['0.00', '-5.00']) expect([amount, read(amount)]).toEqual([amount, null])
  })

  it('is the payment or the bill of its row', () => {
    const two = [payment(1, [bill(1, 100), bill(2, 200)])]
    const written = {
      layout: layout.parse({
        kind: 'delimited',
        grain: 'bill',
        heading: false,
        total_row: false,
        columns: allSources.map((source) => ({ heading: source, source })),
      }),
      payments: two,
      profiles: profilesById(exportOf()),
      moment: exportOf().moment,
      file_reference: '',
    }
    const row = (said: Partial<Record<ColumnSource, string>>): ReadRow => ({
      values: new Map(allSources.flatMap((source) => (said[source] === undefined ? [] : [[source, said[source]] as const]))),
    })
    const rows = [
      row({ payment_number: 'VP-1', bill_id: '1', amount_paid: '1.00' }),
      row({ payment_number: 'VP-1', bill_id: '2', amount_paid: '2.00' }),
    ]
    expect(rowsAgree(written, rows)).toBe(true)
    expect(rowsAgree(written, rows.toReversed())).toBe(false)
    expect(rowsAgree(written, rows.slice(1))).toBe(false)
    for (const other of [
      { payment_number: 'VP-2' },
      { amount_paid: '1.01' },
      { batch_id: '0' },
      { account_number: '1' },
      { payment_amount: '3.01' },
    ])
      expect(rowsAgree(written, [row({ bill_id: '1', amount_paid: '1.00', ...other }), row({ bill_id: '2' })])).toBe(false)
  })
})

describe('the checker of rows and columns', () => {
  it(
    'refuses each file with a stray byte, another heading, a lost or doubled row, or digits that no longer add up',
    () => {
      const taken: string[] = []
      let tried = 0
      for (const [name, { format, profiles }] of Object.entries(goldenCases)) {
        const chosen = chosenLayout(format, profiles[0]?.layouts[format])
        if (chosen.family === 'nacha') continue
        const { layout } = chosen
        const end = layout.line_end === 'crlf' ? '\r\n' : '\n'
        const text = golden(name)
        const attempt = (changed: string, what: string) => {
          tried += 1
          if (checkLayout(bytesOf(changed), layout).read !== null) taken.push(`${name} ${what}`)
        }
        expect(checkLayout(bytesOf(text), layout).faults).toEqual([])
        for (let at = 0; at < text.length; at += 1) {
          if (at % 3 === 0) attempt(`${text.slice(0, at)}\u0007${text.slice(at + 1)}`, `control ${at}`)
          if (text[at] === ',') attempt(`${text.slice(0, at)};${text.slice(at + 1)}`, `separator ${at}`)
          if (/[\r\n]/.test(text[at] ?? '')) attempt(text.slice(0, at) + text.slice(at + 1), `line end ${at}`)
        }
        const lines = text.split(end).slice(0, -1)
        const joined = (all: readonly string[]) => all.map((line) => line + end).join('')
        if (layout.heading) {
          const [heading = ''] = lines
          for (let at = 0; at < heading.length; at += 1)
            attempt(heading.slice(0, at) + (heading[at] === 'x' ? 'y' : 'x') + text.slice(at + 1), `heading ${at}`)
        }
        if (layout.total_row) {
          for (let at = 1; at < lines.length; at += 1) attempt(joined(lines.toSpliced(at, 1)), `without ${at}`)
          for (let at = 1; at < lines.length; at += 1) attempt(joined(lines.toSpliced(at, 0, lines[at] ?? '')), `twice ${at}`)
          const last = lines.at(-1) ?? ''
          for (let at = 0; at < last.length; at += 1)
            if (/\d/.test(last[at] ?? ''))
              attempt(
                joined([...lines.slice(0, -1), last.slice(0, at) + String((Number(last[at]) + 1) % 10) + last.slice(at + 1)]),
                `total ${at}`,
              )
        }
        const amounts = [...text.matchAll(/,(\d+\.\d\d)(?=[,\r])/g)]
        if (layout.total_row && layout.grain === 'payment')
          for (const { index, 1: amount = '' } of amounts)
            attempt(
              text.slice(0, index + 1) +
                amount.replace(/\d/, (digit) => String((Number(digit) % 9) + 1)) +
                text.slice(index + 1 + amount.length),
              `amount ${index}`,
            )
      }
      expect(taken).toEqual([])
      expect(tried).toBeGreaterThan(4_000)
    },
    slowMs,
  )

  it('refuses routing numbers, accounts, words and formulas that no bank takes', () => {
    const chosen = chosenLayout('ach_bank', undefined)
    if (chosen.family !== 'layout') throw new Error('no rows')
    const isRefused = (text: string) => checkLayout(bytesOf(text), chosen.layout).read === null
    expect(isRefused('Harbor Gas,060000215,77-889900,2,56.00\r\n')).toBe(false)
    for (const line of [
      'Harbor Gas,060000216,77-889900,2,56.00\r\n',
      'Harbor Gas,060000215,77 889900,2,56.00\r\n',
      'Harbor Gas,060000215,77-889900,4,56.00\r\n',
      'Harbor Gas,060000215,77-889900,2,56.0\r\n',
      'Harbor Gas,060000215,77-889900,2,$56.00\r\n',
      '=Harbor Gas,060000215,77-889900,2,56.00\r\n',
      '"Harbor Gas",060000215,77-889900,2,56.00\r\n',
      'Harbor Gas & Water & Light,060000215,77-889900,2,56.00\r\n',
      ',060000215,77-889900,2,56.00\r\n',
      'Harbor Gas,060000215,77-889900,2,56.00\n',
      '',
    ])
      expect([line, isRefused(line)]).toEqual([line, true])
  })
})

describe('files of random batches', () => {
  const odd = fc.oneof(
    fc.constantFrom(
      'City & Sons',
      'Café Société Électrique',
      '⚡ Power 💡',
      'Two\nLines, "quoted"',
      'a*b\\c~d',
      '=SUM(A1)',
      '電力会社',
      '-',
      'W'.repeat(60),
      ' ',
    ),
    fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
  )
  const vendorOf = fc.record({
    name: odd,
    holder: fc.option(odd),
    remittance: fc.constantFrom('ctx' as const, 'per_bill' as const, 'none' as const),
    account_type: fc.constantFrom('checking' as const, 'savings' as const, 'loan' as const),
    routing_number: fc.constantFrom(cityPower.routing_number, harborGas.routing_number),
    account_number: fc.stringMatching(/^[A-Za-z0-9-]{4,17}$/),
  })
  const billOf = fc.record({
    paid: fc.integer({ min: -20_000, max: 2_000_000 }),
    due: fc.integer({ min: -20_000, max: 3_000_000 }),
    invoice: fc.option(odd),
    account: odd,
  })
  const paymentOf = fc.record({ vendor: fc.nat(3), payer: fc.nat(1), bills: fc.array(billOf, { minLength: 1, maxLength: 6 }) })
  const any = fc.record({
    format: fc.constantFrom(...fileFormats),
    vendors: fc.array(vendorOf, { minLength: 4, maxLength: 4 }),
    payments: fc.array(paymentOf, { minLength: 1, maxLength: 8 }),
    balanced: fc.boolean(),
    line_end: fc.constantFrom('lf' as const, 'crlf' as const, 'none' as const),
    character_set: fc.constantFrom('standard' as const, 'narrow' as const),
    first_trace: fc.integer({ min: 1, max: 9_000_000 }),
    time: fc.constantFrom('00:00', '09:30', '17:00', '23:59'),
    day: fc.integer({ min: 0, max: 400 }),
  })
  const typeOf = {
    standard: 'ACH',
    nacha_plus: 'ACH',
    ach_2: 'ACH',
    ach_bank: 'ACH',
    avid: 'Avid',
    check_request: 'Check',
    positive_pay: 'Check',
    op_worklist: 'OP',
    np_register: 'NP',
    autopay_register: 'Autopay',
    accounting: 'Accounting',
  } as const

  it(
    'are taken by the checker and come to the cents of their rows, or are refused with a sentence before a byte is written',
    () => {
      let built = 0
      const property = fc.property(
        any,
        ({ format, vendors, payments: drawn, balanced, line_end, character_set, first_trace, time, day }) => {
          const list: VendorForFile[] = vendors.map((vendor, at) => ({
            ...cityPower,
            ...vendor,
            id: 50 + at,
            account_holder: vendor.holder,
          }))
          const payments: PaymentForFile[] = drawn.map((one, at) => {
            const bills = one.bills.map((given, place) =>
              bill(1_000 * (at + 1) + place, given.paid, {
                amount_due: given.due,
                invoice_number: given.invoice,
                account_number: given.account,
              }),
            )
            return payment(at + 1, bills, {
              vendor: list[one.vendor] ?? cityPower,
              check_number: String(at + 1),
              ...(one.payer === 0 ? {} : { payer: bright, profile_id: 8, batch_id: 302 }),
            })
          })
          const profiles: ProfileForFile[] = [profile, secondProfile].map((one) => ({ ...one, balanced, line_end, character_set }))
          const type = typeOf[format]
          const input = exportOf({ type, format, payments, profiles, moment: { date: bankingDaysAfter('2026-01-01', day), time } })
          const faults = exportFaults(input)
          if (faults.length > 0) {
            expect(faults.every((fault) => /[.]$/.test(fault.sentence))).toBe(true)
            return
          }
          built += 1
          const plans = planFiles(input)
          const files = plans.map((plan) => buildFile(input, plan, { modifier: 'B', first_trace, sequence: plan.place + 1 }))
          const entries = files.flatMap((file) => file.entries)
          const total = payments.reduce((sum, one) => sum + one.amount, 0)
          expect(files.reduce((sum, file) => sum + file.control.credit, 0)).toBe(total)
          expect(entries.reduce((sum, entry) => sum + entry.amount, 0)).toBe(total)
          for (const one of payments)
            expect(entries.filter((entry) => entry.vendor_payment_id === one.id).reduce((sum, entry) => sum + entry.amount, 0)).toBe(
              one.amount,
            )
          const traces = entries.flatMap((entry) => entry.trace_number ?? [])
          expect(new Set(traces).size).toBe(traces.length)
          expect(new Set(files.map((file) => file.name)).size).toBe(files.length)
        },
      )
      fc.assert(property, { numRuns: propertyRuns })
      console.log(`random batches: ${propertyRuns} exports, ${built} built, ${propertyRuns - built} refused before a byte`)
      expect(built).toBeGreaterThan(propertyRuns / 20)
    },
    slowMs,
  )
})

describe('what prevents an export', () => {
  const one = (more: Partial<PaymentForFile> = {}, bills = [bill(1, 5_000)]) => payment(1, bills, more)
  const vendor = (more: Partial<VendorForFile>) => exportOf({ payments: [one({ vendor: { ...cityPower, ...more } })] })
  const own = (more: Partial<ProfileForFile>, input: Partial<ExportInput> = {}) =>
    exportOf({ payments: [one()], profiles: [{ ...profile, ...more }], ...input })

  it('is named by vendor and field where its bank details are none, with a link to mend it', () => {
    expect(exportFaults(vendor({ routing_number: null, account_number: null }))).toMatchObject([
      {
        code: 'routing_number',
        field: 'po_box',
        vendor_id: 21,
        link: '/vendors/21/edit',
        sentence: 'Routing number of City Power & Light Company: It is missing.',
      },
      {
        code: 'account_number',
        field: 'payment_identifier',
        vendor_payment_id: 1,
        sentence: 'Account number of City Power & Light Company: It is missing.',
      },
    ])
    for (const routing_number of ['070000316', '07000031', '800000007', '450000005'])
      expect(codes(vendor({ routing_number }))).toEqual(['routing_number'])
    for (const account_number of ['123', '1'.repeat(18), '12*34', '12é45'])
      expect(codes(vendor({ account_number }))).toEqual(['account_number'])
    expect(codes(vendor({ account_number: '1234 5678 9' }))).toEqual([])
    expect(codes(exportOf({ format: 'ach_bank', payments: [one({ vendor: { ...cityPower, routing_number: '1' } })] }))).toEqual([
      'routing_number',
    ])
    expect(
      codes(exportOf({ type: 'Check', format: 'check_request', payments: [one({ vendor: { ...cityPower, routing_number: '1' } })] })),
    ).toEqual([])
  })

  it('is a prenote that came back or is younger than three banking days', () => {
    expect(codes(vendor({ prenote_state: 'returned' }))).toEqual(['prenote'])
    expect(codes(vendor({ prenote_state: 'sent', prenote_date: null }))).toEqual(['prenote'])
    expect(codes(vendor({ prenote_state: 'sent', prenote_date: '2026-11-20' }))).toEqual(['prenote'])
    expect(codes(vendor({ prenote_state: 'sent', prenote_date: '2026-11-19' }))).toEqual([])
    expect(codes(vendor({ prenote_state: 'accepted', prenote_date: '2026-11-24' }))).toEqual([])
  })

  it('is a payer without a profile or with an incomplete one, told once for each payer', () => {
    const two = [one({ profile_id: null }), payment(2, [bill(2, 100)], { profile_id: null })]
    expect(exportFaults(exportOf({ payments: two }))).toMatchObject([
      { code: 'no_profile', payer_name: harvest.name, vendor_payment_id: null, link: '/originating_profiles/new?client_id=11' },
    ])
    const gaps = own({
      routing_number: '1',
      immediate_origin: null,
      company_name: '電力',
      company_id: '12',
      entry_description: 'Payroll',
      lead_days: 0,
    })
    expect(exportFaults(gaps).map((fault) => fault.field)).toEqual([
      'routing_number',
      'immediate_origin',
      'company_name',
      'company_id',
      'entry_description',
      'lead_days',
      'company_name',
    ])
    expect(codes(own({ balanced: true, account_number: null }))).toEqual(['profile'])
    const empty = { routing_number: null, account_number: null, company_name: null, company_id: null, immediate_destination: null }
    expect(exportFaults(own(empty, { format: 'ach_bank' })).map((fault) => fault.field)).toEqual([
      'routing_number',
      'company_name',
      'company_id',
      'account_number',
    ])
    expect(codes(exportOf({ type: 'Accounting', format: 'accounting', payments: two }))).toEqual([])
  })

  it('is an amount that is nothing, too large, above a limit, or not the sum of its bills, before a byte is written', () => {
    expect(codes(exportOf({ payments: [one({}, [bill(1, 0)])] }))).toEqual(['not_positive'])
    expect(codes(exportOf({ payments: [one({}, [bill(1, 100), bill(2, -200)])] }))).toEqual(['not_positive'])
    expect(codes(exportOf({ payments: [one({ amount: 4_999 })] }))).toEqual(['sum'])
    expect(codes(exportOf({ payments: [one({}, [bill(1, 9_999_999_999)])] }))).toEqual([])
    expect(codes(exportOf({ payments: [one({}, [bill(1, 9_999_999_999), bill(2, 1)])] }))).toEqual(['too_large'])
    for (const format of ['standard', 'nacha_plus', 'ach_2', 'ach_bank'] as const)
      expect([format, ...codes(own({ entry_limit: 4_999 }, { format }))]).toEqual([format, 'entry_limit'])
    expect(exportFaults(own({ entry_limit: 4_999 }))[0]?.link).toMatch(/^\/global_batch\/view\/\d+\/bills$/)
    for (const format of ['standard', 'nacha_plus', 'ach_2', 'ach_bank'] as const)
      expect([format, ...codes(own({ entry_limit: 5_000, file_limit: 4_999 }, { format }))]).toEqual([format, 'file_limit'])
    // The books and a request of checks move nothing at the bank of the profile.
    for (const other of [
      { type: 'Accounting', format: 'accounting' },
      { type: 'Check', format: 'check_request' },
    ] as const)
      expect(codes(own({ entry_limit: 1, file_limit: 1 }, other))).toEqual([])
    const same = own({ lead_days: 0, same_day_allowed: true })
    expect(codes(same)).toEqual([])
    for (const format of ['standard', 'ach_bank'] as const)
      expect(codes({ ...same, format, payments: [one({}, [bill(1, 100_000_001)])] })).toEqual(['same_day'])
    const many = Array.from({ length: 101 }, (_, at) => payment(at + 1, [bill(at + 1, 9_999_999_999)]))
    expect(codes(exportOf({ payments: many }))).toEqual(['total'])
  })

  it('is a payment that stands in the export twice, or an NP batch above one dollar', () => {
    expect(codes(exportOf({ payments: [one(), one()] }))).toContain('twice')
    const np = (cents: number) =>
      codes(exportOf({ type: 'NP', format: 'np_register', payments: [payment(1, [bill(1, 50)]), payment(2, [bill(2, cents)])] }))
    expect(np(50)).toEqual([])
    expect(np(51)).toEqual(['np_total'])
    expect(np(-60)).toEqual([])
  })

  it('is what an overnight check and a positive pay file cannot do without', () => {
    const overnight = (more: Partial<VendorForFile>) =>
      codes(
        exportOf({
          type: 'Check - OVERNIGHT',
          format: 'check_request',
          payments: [one({ effective_type: 'Check - OVERNIGHT', vendor: { ...cityPower, ...more } })],
        }),
      )
    expect(overnight({})).toEqual([])
    expect(overnight({ phone: ' ' })).toEqual(['phone'])
    expect(overnight({ remit_address: { ...cityPower.remit_address, street_address_2: 'P. O. Box 12' } })).toEqual(['po_box'])
    expect(overnight({ remit_address: { ...cityPower.remit_address, zip: null } })).toEqual(['empty'])
    const positive = (check_number: string | null) =>
      codes(exportOf({ type: 'Check', format: 'positive_pay', payments: [one({ check_number })] }))
    expect([positive('20001'), positive(null), positive('A1'), positive('12345678901')]).toEqual([
      [],
      ['check_number'],
      ['check_number'],
      ['check_number'],
    ])
  })

  it('is a remittance that has no reference, a reference that is too long, or a credit that would stand alone', () => {
    const plus = (vendor: Partial<VendorForFile>, ...bills: PaymentForFile['bills']) =>
      codes(exportOf({ format: 'nacha_plus', payments: [payment(1, bills, { vendor: { ...cityPower, ...vendor } })] }))
    expect(plus({}, bill(1, 10, { account_number: '電力' }))).toEqual(['reference'])
    expect(plus({}, bill(1, 10, { invoice_number: 'X'.repeat(31) }))).toEqual(['reference_length'])
    expect(plus({ remittance: 'none' }, bill(1, 10, { invoice_number: 'X'.repeat(31) }))).toEqual([])
    expect(plus({ remittance: 'per_bill' }, bill(1, 10), bill(2, -5))).toEqual(['credit_alone'])
    expect(plus({ remittance: 'ctx' }, bill(1, 10), bill(2, -5))).toEqual([])
    const many = Array.from({ length: 15_000 }, (_, at) => bill(at + 1, 100))
    expect(plus({ remittance: 'ctx' }, ...many)).toEqual(['addenda'])
  })

  it('is a name that the bank cannot read, and a text that a spreadsheet would run', () => {
    expect(codes(vendor({ name: '電力会社', account_holder: '💡' }))).toEqual(['receiver_name'])
    expect(codes(vendor({ name: '電力会社', account_holder: 'Café' }))).toEqual([])
    const portal = (account_holder: string) =>
      codes(exportOf({ format: 'ach_bank', payments: [one({ vendor: { ...cityPower, account_holder } })] }))
    expect([portal('=1+1'), portal('@now'), portal('City')]).toEqual([['formula'], ['formula'], []])
    expect(bankText('Ærø Café & Søn*\\~\n💡 x', 'standard')).toBe('AERO CAFE & SON X')
    expect(bankText('A & B, (C) #1', 'narrow')).toBe('A B C 1')
  })
})

describe('days, numbers and names of files', () => {
  it('settle on banking days, whose holidays move from Sunday to Monday and not from Saturday', () => {
    const days = [
      '2026-06-19',
      '2026-07-03',
      '2026-11-26',
      '2027-07-05',
      '2027-12-24',
      '2026-01-19',
      '2026-02-16',
      '2026-05-25',
      '2026-05-18',
      '2026-09-07',
      '2026-10-12',
      '2026-11-11',
      '2026-12-25',
      '2027-01-01',
      '2026-11-28',
    ]
    expect(days.filter(isBankingDay)).toEqual(['2026-07-03', '2027-12-24', '2026-05-18'])
    const rule = { cutoff_time: '17:00', lead_days: 1 }
    expect(effectiveDate({ date: '2026-11-24', time: '17:00' }, rule)).toBe('2026-11-25')
    expect(effectiveDate({ date: '2026-11-24', time: '17:01' }, rule)).toBe('2026-11-27')
    expect(effectiveDate({ date: '2026-11-28', time: '09:00' }, rule)).toBe('2026-12-01')
    expect(effectiveDate({ date: '2026-11-25', time: '09:00' }, { cutoff_time: '17:00', lead_days: 0 })).toBe('2026-11-25')
  })

  it('number at most 36 files a day, A to Z and 0 to 9, and trace numbers that ascend in each file', () => {
    expect([modifierAt(0), modifierAt(25), modifierAt(26), modifierAt(35)]).toEqual(['A', 'Z', '0', '9'])
    expect([filesPerDayMax, modifierAt(36)]).toEqual([36, null])
    expect([firstTraceAfter(0, 5), firstTraceAfter(9_999_994, 5), firstTraceAfter(9_999_995, 5)]).toEqual([1, 9_999_995, 1])
    const input = exportOf()
    const [plan] = planFiles(input)
    if (!plan) throw new Error('no file')
    expect(() => buildFile(input, plan, { modifier: 'A', first_trace: 9_999_997, sequence: 1 })).toThrow(RangeError)
    expect(() => buildFile(input, plan, { modifier: null, first_trace: 1, sequence: 1 })).toThrow(RangeError)
  })

  it('go apart by bank and sender, and have names that differ', () => {
    const input = exportOf({ profiles: [profile, { ...secondProfile, immediate_destination: cityPower.routing_number }] })
    const plans = planFiles(input)
    expect(plans.map((plan) => [plan.immediate_destination, plan.payment_count, plan.total, plan.effective_dates])).toEqual([
      ['010000126', 3, 45_650, ['2026-11-25']],
      ['070000315', 1, 99_999, ['2026-11-27']],
    ])
    expect(plans.map((plan) => buildFile(input, plan, { modifier: 'A', first_trace: 1, sequence: 1 }).name)).toEqual([
      'ACH_standard_20261124_1405_A-1.ach',
      'ACH_standard_20261124_1405_A-2.ach',
    ])
  })

  it('bear the exclusive vendor with & as and, and nothing that a path could trip over [GB-EXPORT-003]', () => {
    const input = exportOf({ vendor_name: 'Électric & Gas / "Co"' })
    const [plan] = planFiles(input)
    expect(plan && buildFile(input, plan, { modifier: 'C', first_trace: 1, sequence: 1 }).name).toBe(
      'ACH_standard_20261124_1405_C_Electric-and-Gas-Co.ach',
    )
  })

  it('pay by the client’s own default profile, and by the provider’s only for a client that has none', () => {
    const row = (id: number, client_id: number, active = true, is_default = true) => ({ id, client_id, active, is_default })
    expect(profileOfPayer(11, [row(1, 0), row(2, 11)])?.id).toBe(2)
    expect(profileOfPayer(12, [row(1, 0), row(2, 11)])?.id).toBe(1)
    expect(profileOfPayer(11, [row(1, 0), row(2, 11, false)])).toBeNull()
    expect(profileOfPayer(11, [row(1, 0), row(2, 11, true, false)])).toBeNull()
    expect(profileOfPayer(12, [row(1, 0, false)])).toBeNull()
  })
})
