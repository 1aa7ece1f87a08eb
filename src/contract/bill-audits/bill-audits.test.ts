import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import {
  account,
  bill,
  CCF,
  history,
  historyOf,
  input,
  lastBill,
  line,
  service,
  vendor,
  withBill,
  withLine,
  withService,
} from './audit-fixture.ts'
import {
  auditBill,
  auditCodes,
  auditSettingsPatch,
  type AuditInput,
  countOpen,
  defaultAuditSettings,
  fieldFlags,
  type Finding,
  historyBill,
  isFlag,
  lineFlags,
  mergeAuditSettings,
  ordinaryContext,
} from './bill-audits.ts'
import { daysBetween } from '../kernel/date.ts'
import { wireOf } from '../kernel/money.ts'

/** Returns 'code severity' for all findings, so that a case also shows what must not be found. */
function found(given: AuditInput): string[] {
  return auditBill(given).map(({ code, severity }) => `${code} ${severity}`)
}

function only(given: AuditInput, code: string): Finding {
  const findings = auditBill(given).filter((finding) => finding.code === code)
  expect(findings).toHaveLength(1)
  const [finding] = findings
  if (!finding) throw new Error(`nothing found: ${code}`)
  return finding
}

/** Returns the same two years with this many kWh on each day. */
function steady(daily: number) {
  return history.map((one) => ({
    ...one,
    lines: one.lines.map((each) => ({
      ...each,
      usage: null,
      standard_usage: String(daily * daysBetween(each.previous_read_date ?? '', each.read_date ?? '')),
    })),
  }))
}

const factor = (name: string, value: string, adjustment_factor = false) => ({ name, value, adjustment_factor })

describe('a quiet bill', () => {
  test('raises nothing', () => {
    expect(auditBill(input)).toEqual([])
  })

  test('neither does any bill of its second year, when every month has its like in the year before', () => {
    const past = history.slice(12).map((one) => {
      const [old] = one.lines
      const lines = [
        {
          ...line,
          previous_read_date: old?.previous_read_date ?? null,
          read_date: old?.read_date ?? null,
          usage: old?.usage ?? null,
          meter_reading: null,
          service_bill_entry_fields: [{ name: 'Utility Charges', value: one.current_charges }],
        },
      ]
      return withBill({
        id: one.id,
        date: one.date,
        due_date: one.due_date,
        invoice_number: one.invoice_number,
        current_charges: one.current_charges,
        amount_due: one.amount_due,
        paid: true,
        service_bills: lines.map((each) => ({ ...each, previous_reading: null })),
      })
    })
    expect(past.flatMap(found)).toEqual([])
  })
})

describe('rules 1 to 3: the period', () => {
  test.each([
    ['contiguous', '2026-10-01', []],
    ['inclusive dates', '2026-10-02', ['read_gap I']],
    ['a gap of 2 days', '2026-10-03', ['read_gap W']],
    ['a gap of 6 days', '2026-10-07', ['read_gap W']],
    ['a gap of 7 days', '2026-10-08', ['read_gap E']],
    ['an overlap of a day', '2026-09-30', ['read_overlap E']],
  ])('%s', (_case, previous_read_date, expected) => {
    expect(found(withLine({ previous_read_date })).filter((one) => one.startsWith('read_'))).toEqual(expected)
  })

  test('two lines of one meter on a bill are one period: neither a gap, nor too short', () => {
    const half = {
      ...line,
      previous_reading: null,
      meter_reading: null,
      usage: '3048.000',
      service_bill_entry_fields: [{ name: 'Utility Charges', value: wireOf(Math.round(Number(bill.current_charges) * 50)) }],
    }
    const parts = (firstEnd: string) => [
      { ...half, read_date: firstEnd },
      { ...half, previous_read_date: '2026-10-16' },
    ]
    const codes = (firstEnd: string) => found(withBill({ service_bills: parts(firstEnd) })).filter((one) => /^(read|period)_/.test(one))
    expect(codes('2026-10-16')).toEqual([])
    expect(codes('2026-10-08')).toEqual(['read_gap E'])
    expect(codes('2026-10-20')).toEqual(['read_overlap E'])
  })

  test('a meter that is billed in two units is compared unit by unit', () => {
    const twice = history.map((one) => ({
      ...one,
      lines: one.lines.flatMap((each) => [
        each,
        { ...each, unit_id: CCF, usage: '3.000', standard_usage: null, meter_reading: '7.00', multiplier: '1.0000' },
      ]),
    }))
    expect(found({ ...input, history: twice })).toEqual([])
  })

  test('an adjustment may cover days that were billed before', () => {
    expect(found(withBill({ rebill_adjustment: true, service_bills: [{ ...line, previous_read_date: '2026-09-20' }] }))).toContain(
      'read_overlap I',
    )
  })

  test.each([
    ['2026-10-31', 2, 30, []],
    ['2026-10-24', 2, 30, []],
    ['2026-10-23', 2, 30, ['period_length W']],
    ['2026-11-07', 2, 30, []],
    ['2026-11-08', 2, 30, ['period_length W']],
    ['2026-11-24', 2, 30, ['period_length E']],
    ['2026-10-01', 2, 30, ['period_length E']],
    ['2026-09-30', 2, 30, ['period_length E']],
    ['2027-10-03', 2, 30, ['period_length E']],
    ['2026-10-08', 0, 30, []],
    ['2026-10-11', 0, 30, ['period_length W']],
    ['2026-10-15', 1, 30, []],
    ['2026-12-31', 3, 30, []],
    ['2026-11-30', 2, 60, []],
    ['2026-11-01', null, null, []],
  ])('read on %s with period %j and cycle %j', (read_date, billing_period, billing_cycle, expected) => {
    const given = withLine({ read_date }, { account: { ...account, billing_period, billing_cycle }, today: '2027-12-31' })
    expect(found(given).filter((one) => one.startsWith('period_length'))).toEqual(expected)
  })
})

describe('rules 4 to 7: readings', () => {
  test('a previous reading other than the last one is an error, unless the notes tell of a new meter', () => {
    const previous_reading = wireOf(Math.round(Number(line.previous_reading) * 100) + 100)
    expect(found(withLine({ previous_reading }))).toContain('reading_break E')
    expect(found(withLine({ previous_reading, notes: 'Meter exchanged on 10/12' })).filter((one) => one.startsWith('reading'))).toEqual([])
    expect(only(withLine({ previous_reading }), 'reading_break').message).toMatch(
      /^The previous reading [\d,.]+ is not the last reading [\d,.]+: 1 apart$/,
    )
  })

  test('the dial goes on after a bill in another unit, and a register goes on from that of its own unit', () => {
    const last = history.at(-1)?.lines[0]?.meter_reading ?? ''
    const inOtherUnit = lastBill({}, { unit_id: CCF, meter_reading: '77777.00' })
    expect(
      found(withLine({ previous_reading: '77777.00', meter_reading: '77800.00', usage: '920.000' }, { history: inOtherUnit })),
    ).not.toContain('reading_break E')
    const ofUnit = history.at(-2)?.lines[0]?.meter_reading ?? ''
    expect(found(withLine({ previous_reading: ofUnit }, { history: inOtherUnit }))).not.toContain('reading_break E')
    expect(only(withLine({ previous_reading: last }, { history: inOtherUnit }), 'reading_break')).toMatchObject({ expected: '77777.00' })
  })

  test('a reading that falls is an error, near the end of the dial a warning with the usage over the turn', () => {
    expect(found(withLine({ previous_reading: '5000.00', meter_reading: '4900.00', usage: '-4000.000' }))).toContain('reading_regress E')
    const turned = withLine({ previous_reading: '99900.00', meter_reading: '50.00', usage: '6000.000' })
    expect(only(turned, 'reading_regress')).toMatchObject({
      severity: 'W',
      message: 'The reading fell from 99,900 to 50: rollover? Over the turn the usage is 6,000',
    })
    expect(found(turned)).not.toContain('usage_math E')
    expect(found(withLine({ previous_reading: '99900.00', meter_reading: '50.00', usage: '6100.000' }))).toContain('usage_math E')
  })

  test('the multiplier is the one of the meter and of the last bill', () => {
    expect(found(withLine({ multiplier: '41.0000' }))).toContain('multiplier_change E')
    expect(found(withLine({ multiplier: '40.0005' }))).not.toContain('multiplier_change E')
    expect(found(withService({ meter_multiplier: null }, { history: lastBill({}, { multiplier: '80.0000' }) }))).toContain(
      'multiplier_change E',
    )
    // The last bill's multiplier was wrong: this bill has the meter's own again.
    expect(found({ ...input, history: lastBill({}, { multiplier: '80.0000' }) })).toEqual([])
  })

  test('usage may differ from the readings by a unit or half a percent, not more, and factors do not count', () => {
    const readings = { previous_reading: '100.00', meter_reading: '200.00', multiplier: '40.0000' }
    const codes = (usage: string) =>
      found(withLine({ ...readings, usage, service_bill_usage_factors: [factor('Adjustment Factor', '1.1000', true)] }))
    expect(codes('4020.000')).not.toContain('usage_math E')
    expect(codes('4020.001')).toContain('usage_math E')
    expect(codes('4400.000')).toContain('usage_math E')
    expect(only(withLine({ ...readings, usage: '4400.000' }), 'usage_math')).toMatchObject({
      expected: '4000.000',
      actual: '4400.000',
      message: 'The usage 4,400 is not (200 − 100) × 40 = 4,000: 400 apart',
    })
  })
})

describe('rules 8 to 12 and 27: usage', () => {
  const use = (usage: string, rest: Partial<AuditInput> = {}) => withLine({ usage, previous_reading: null, meter_reading: null }, rest)

  test('no usage where there used to be some is a warning, twice in a row an error, in its season nothing', () => {
    expect(found(use('0.000'))).toContain('usage_zero W')
    const drops = history.map((one) => ({
      ...one,
      lines: one.lines.map((old) => ({ ...old, usage: '0.100', standard_usage: '0.100000' })),
    }))
    expect(found(use('0.000', { history: drops }))).not.toContain('usage_zero W')
    expect(found(use('0.000', { history: lastBill({}, { usage: '0.000', standard_usage: '0.000000' }) }))).toContain('usage_zero E')
    const irrigation = history.map((one) => ({
      ...one,
      lines: one.lines.map((each) => ({
        ...each,
        usage: /-(09|10|11)-/.test(each.previous_read_date ?? '') ? '0.000' : each.usage,
        standard_usage: null,
      })),
    }))
    expect(found(use('0.000', { history: irrigation })).filter((one) => one.startsWith('usage'))).toEqual([])
  })

  test.each([
    ['8060.000', []],
    ['8061.000', ['usage_high W']],
    ['12400.000', ['usage_high W']],
    ['12401.000', ['usage_high E']],
    ['3720.000', []],
    ['3719.000', ['usage_low W']],
    ['1240.000', ['usage_low W']],
    ['1239.000', ['usage_low E']],
  ])('this time of the year used 200 kWh a day, 6,200 in 31 days: %s now', (usage, expected) => {
    expect(found(use(usage, { history: steady(200) })).filter((one) => /usage_(high|low)/.test(one))).toEqual(expected)
  })

  test('a finding shows its arithmetic', () => {
    const message = only(use('9672.000', { history: steady(181) }), 'usage_high').message
    expect(message).toBe('312 kWh/day against 181 kWh/day in the same months of prior years, +72%, limit 30%')
  })

  test('a spread that is wide excuses what a percentage would not', () => {
    const wild = history.map((one, place) => ({
      ...one,
      lines: one.lines.map((each) => ({ ...each, usage: null, standard_usage: place % 2 === 0 ? '2000.000000' : '12000.000000' })),
    }))
    expect(found(use('13000.000', { history: wild })).filter((one) => one.startsWith('usage_high'))).toEqual([])
  })

  test('with less than two seasonal points the last bills decide, with less than three of those nothing does', () => {
    expect(only(use('20000.000', { history: history.slice(-4) }), 'usage_high').message).toContain('over the last 4 bills')
    expect(found(use('20000.000', { history: history.slice(-2) })).filter((one) => one.startsWith('usage'))).toEqual([])
  })

  test('usage is compared in the standard unit, whatever unit it is billed in', () => {
    const given = withLine({ usage: '6.096', unit_id: 3, previous_reading: null, meter_reading: null })
    expect(found(given).filter((one) => /usage/.test(one))).toEqual([])
    expect(only(given, 'unit_mismatch').message).toBe('The unit is MWh; the service is billed in kWh')
  })

  test('a unit of another service cannot be summed', () => {
    expect(only(withLine({ unit_id: CCF, raw_unit: 'ccf' }), 'unit_mismatch')).toMatchObject({
      severity: 'W',
      expected: 'kWh, MWh',
      actual: 'ccf',
    })
  })

  test('negative usage is an error where nothing is fed back', () => {
    const given = { usage: '-10.000', previous_reading: null, meter_reading: null }
    expect(found(withLine(given))).toContain('usage_negative E')
    expect(found({ ...withLine(given), services: [{ ...service, net_metered: true }] })).not.toContain('usage_negative E')
    expect(found(withBill({ rebill_adjustment: true, service_bills: [{ ...line, ...given }] }))).not.toContain('usage_negative E')
  })

  test('the same use a day as on both bills before may be an estimate; a line that says so is not asked again', () => {
    const same = steady(200)
    expect(found(use('6200.000', { history: same }))).toContain('usage_same W')
    expect(found(use('6210.000', { history: same }))).not.toContain('usage_same W')
    expect(
      found(withLine({ usage: '6200.000', estimated: true, previous_reading: null, meter_reading: null }, { history: same })),
    ).not.toContain('usage_same W')
  })

  test('an unmetered service runs no usage audit', () => {
    const given = {
      ...withLine({ usage: '0.000', estimated: true, multiplier: '9.0000', unit_id: null }),
      services: [{ ...service, metered: false }],
    }
    expect(found(given)).toEqual([])
  })
})

describe('rule 13: estimates', () => {
  test('the first informs, the next ones warn and count; none is an error', () => {
    expect(found(withLine({ estimated: true }))).toContain('estimated_run I')
    expect(only(withLine({ estimated: true }, { history: lastBill({}, { estimated: true }) }), 'estimated_run')).toMatchObject({
      severity: 'W',
      message: 'The read is estimated, 2 in a row',
    })
    const all = history.map((one, place) => ({ ...one, lines: one.lines.map((each) => ({ ...each, estimated: place >= 22 })) }))
    expect(only(withLine({ estimated: true }, { history: all }), 'estimated_run').actual).toBe('3')
  })
})

describe('rules 14 and 15: duplicates', () => {
  const last = historyOf('2026-09')

  test('the same invoice number within 400 days is an exact duplicate and names the other bill', () => {
    expect(only(withBill({ invoice_number: last.invoice_number }), 'duplicate_exact')).toMatchObject({
      severity: 'E!',
      other_bill_id: last.id,
    })
    expect(found(withBill({ invoice_number: historyOf('2025-08').invoice_number }))).not.toContain('duplicate_exact E!')
    expect(found(withBill({ invoice_number: historyOf('2025-10').invoice_number }))).toContain('duplicate_exact E!')
  })

  test('the same date, charges and service period too, without a number', () => {
    const again = { date: last.date, current_charges: last.current_charges, invoice_number: null }
    const sameLine = { ...line, previous_read_date: '2026-09-01', read_date: '2026-10-01' }
    expect(found(withBill({ ...again, service_bills: [sameLine] }))).toContain('duplicate_exact E!')
    expect(found(withBill(again))).not.toContain('duplicate_exact E!')
  })

  test('a bill is not its own duplicate, nor that of the bill which it corrects', () => {
    expect(found(withBill({ id: last.id, invoice_number: last.invoice_number }))).not.toContain('duplicate_exact E!')
    expect(
      found(withBill({ rebill_adjustment: true, rebill_mode: 'replace', rebill_of_id: last.id, invoice_number: last.invoice_number })),
    ).not.toContain('duplicate_exact E!')
  })

  test('the same amount due and one equal date make a likely duplicate', () => {
    const finding = only(withBill({ amount_due: last.amount_due, due_date: last.due_date }), 'duplicate_likely')
    expect(finding).toMatchObject({ severity: 'W', other_bill_id: last.id })
    expect(finding.message).toContain('the same due date')
    expect(found(withBill({ amount_due: last.amount_due }))).not.toContain('duplicate_likely W')
  })

  test('charges that equal the last ones are suspicious where they varied, and a flat fee is not', () => {
    expect(found(withBill({ current_charges: last.current_charges }))).toContain('duplicate_likely W')
    const minimum = (one: (typeof history)[number], at: number) =>
      at === history.length - 1 || at === 3 ? { ...one, current_charges: '25.00', amount_due: '25.00' } : one
    expect(found(withBill({ current_charges: '25.00' }, { history: history.map(minimum) }))).not.toContain('duplicate_likely W')
    const unused = (charges: string) => ({ current_charges: charges, service_bills: [{ ...line, usage: '0.000' }] })
    const before = lastBill({ current_charges: '912.34' }, { usage: '0.000' })
    expect(found(withBill(unused('912.34'), { history: before }))).not.toContain('duplicate_likely W')
    expect(found(withBill({ current_charges: '912.34' }, { history: lastBill({ current_charges: '912.34' }) }))).toContain(
      'duplicate_likely W',
    )
    const flat = history.map((one) => ({ ...one, current_charges: '99.00', amount_due: '99.00' }))
    expect(found(withBill({ current_charges: '99.00' }, { history: flat }))).not.toContain('duplicate_likely W')
  })
})

describe('rules 16 to 19, 32, 34 and 35: money', () => {
  test('a header that does not add up holds the payment', () => {
    const finding = only(
      withBill({ balance_forward: '0.00', current_charges: '100.00', late_fee: '1.00', amount_due: '110.00' }),
      'header_math',
    )
    expect(finding).toMatchObject({
      severity: 'E!',
      expected: '101.00',
      actual: '110.00',
      message: 'The amount due $110.00 is not $0.00 + $100.00 + $1.00 = $101.00',
    })
  })

  test('lines that do not add up are an error, once any charge is filled', () => {
    const wrong = withBill({ bill_charges: [{ name: 'Fee', amount: '10.00' }] })
    expect(found(wrong)).toContain('lines_math E')
    expect(found(withLine({ service_bill_entry_fields: [{ name: 'Utility Charges', value: null }] }))).not.toContain('lines_math E')
  })

  test('cost by the day and by the unit are compared with the season', () => {
    const dear = withBill({
      current_charges: '2000.00',
      amount_due: '2000.00',
      service_bills: [{ ...line, service_bill_entry_fields: [{ name: 'Utility Charges', value: '2000.00' }] }],
    })
    expect(found(dear)).toEqual(['cost_day_high E', 'unit_cost E'])
    const cheap = withBill({
      current_charges: '300.00',
      amount_due: '300.00',
      service_bills: [{ ...line, service_bill_entry_fields: [{ name: 'Utility Charges', value: '300.00' }] }],
    })
    expect(found(cheap)).toEqual(['cost_day_low W', 'unit_cost W'])
  })

  test('ten times the dollars, a tenth of them and none are errors, also on a bill of $60', () => {
    const small = (times: number) => (one: (typeof history)[number]) => ({
      ...one,
      current_charges: '60.00',
      amount_due: '60.00',
      lines: one.lines.map((old) => ({ ...old, cost: (60 + times).toFixed(2) })),
    })
    const sixty = history.map((one, at) => small((at % 3) - 1)(one))
    const typed = (charges: string) =>
      found(
        withBill(
          {
            current_charges: charges,
            amount_due: charges,
            service_bills: [{ ...line, service_bill_entry_fields: [{ name: 'Utility Charges', value: charges }] }],
          },
          { history: sixty },
        ),
      )
    expect(typed('60.00').filter((one) => !one.startsWith('duplicate'))).toEqual([])
    expect(typed('600.00')).toEqual(['cost_day_high E', 'unit_cost E'])
    expect(typed('6.00')).toEqual(['cost_day_low E', 'unit_cost E'])
    expect(typed('0.00')).toEqual(['cost_day_low E', 'unit_cost E', 'credit_bill W'])
  })

  test('more usage at the usual price is one fact: the cost of a day is silent where usage alone explains it', () => {
    const used = (usage: string, charges: string) =>
      found(
        withBill({
          current_charges: charges,
          amount_due: charges,
          service_bills: [
            {
              ...line,
              usage,
              previous_reading: null,
              meter_reading: null,
              service_bill_entry_fields: [{ name: 'Utility Charges', value: charges }],
            },
          ],
        }),
      )
    expect(used('12192.000', '1828.80')).toEqual(['usage_high W'])
    expect(used('2500.000', '375.00')).toEqual(['usage_low W'])
    expect(used('12192.000', '4000.00')).toEqual(['usage_high W', 'cost_day_high E', 'unit_cost E'])
  })

  test('lines without any charge below current charges are questioned, and a charge of the account is one', () => {
    const none = { service_bill_entry_fields: [{ name: 'Utility Charges', value: null }] }
    expect(found(withLine(none))).toContain('charges_missing W')
    expect(found(withBill({ service_bills: [{ ...line, service_bill_entry_fields: [] }] }))).toContain('charges_missing W')
    expect(
      found(withBill({ service_bills: [{ ...line, ...none }], bill_charges: [{ name: 'All', amount: bill.current_charges }] })),
    ).not.toContain('charges_missing W')
    expect(found(withBill({ current_charges: '0.00', service_bills: [{ ...line, ...none }] }))).not.toContain('charges_missing W')
  })

  test('fixed charges make few units dear, which is no finding while the day costs less', () => {
    const summer = { ...line, usage: '1200.000', previous_reading: null, meter_reading: null }
    const codes = (charges: string) =>
      found(
        withBill({
          current_charges: charges,
          amount_due: charges,
          service_bills: [{ ...summer, service_bill_entry_fields: [{ name: 'Utility Charges', value: charges }] }],
        }),
      )
    expect(codes('700.00')).not.toContain('unit_cost W')
    expect(codes('1300.00')).toContain('unit_cost E')
  })

  test('a period that a tariff splits is judged whole: one day of it says nothing of what a day costs', () => {
    const halves = (first: string, second: string) => [
      {
        ...line,
        read_date: '2026-10-02',
        meter_reading: null,
        usage: '3000.000',
        service_bill_entry_fields: [{ name: 'Utility Charges', value: first }],
      },
      {
        ...line,
        previous_read_date: '2026-10-02',
        previous_reading: null,
        meter_reading: null,
        usage: '3096.000',
        service_bill_entry_fields: [{ name: 'Utility Charges', value: second }],
      },
    ]
    const whole = Number(bill.current_charges)
    expect(found(withBill({ service_bills: halves('400.00', (whole - 400).toFixed(2)) }))).toEqual([])
    const dear = { current_charges: '2000.00', amount_due: '2000.00' }
    expect(
      auditBill(withBill({ ...dear, service_bills: halves('1000.00', '1000.00') })).map(({ code, line: at }) => `${code} ${at}`),
    ).toEqual(['cost_day_high 0', 'unit_cost 0'])
  })

  test('account-level charges are part of a line cost', () => {
    const feeOnly = withBill({
      current_charges: '2000.00',
      amount_due: '2000.00',
      bill_charges: [{ name: 'Fee', amount: wireOf(200_000 - Math.round(Number(bill.current_charges) * 100)) }],
    })
    expect(found(feeOnly)).toContain('cost_day_high E')
  })

  test('taxes on an exempt account', () => {
    const taxed = {
      service_bills: [
        { ...line, service_bill_entry_fields: [...line.service_bill_entry_fields, { name: 'Utility Taxes', value: '5.00' }] },
      ],
    }
    expect(found(withBill(taxed, { account: { ...account, tax_ids: ['EXEMPT 12-345'] } }))).toContain('tax_exempt W')
    expect(found({ ...withBill(taxed), services: [{ ...service, tax_code: 'Exempt' }] })).toContain('tax_exempt W')
    expect(found(withBill(taxed))).not.toContain('tax_exempt W')
  })

  test('credits and bills with nothing due', () => {
    expect(found(withBill({ current_charges: '-200.00', amount_due: '-200.00', service_bills: [] }))).toContain('credit_bill W')
    expect(found(withBill({ balance_forward: `-${bill.current_charges}`, amount_due: '0.00' }))).toContain('credit_bill W')
  })

  test('an amount far above the last year waits for a second person, with enough bills to judge', () => {
    const high = { current_charges: '5000.01', amount_due: '5000.01', service_bills: [] }
    expect(only(withBill(high), 'high_value')).toMatchObject({ severity: 'E!', limit: '5000.00' })
    expect(found(withBill({ ...high, amount_due: '5000.00' }))).not.toContain('high_value E!')
    expect(found(withBill(high, { history: history.slice(-2) }))).not.toContain('high_value E!')
    expect(found(withBill({}, { history: [], settings: [{ high_value_limit: '100.00' }] }))).toContain('high_value E!')
    const large = history.map((one) => ({ ...one, amount_due: '2000.00' }))
    expect(only(withBill({ ...high, amount_due: '6000.01' }, { history: large }), 'high_value').limit).toBe('6000.00')
  })
})

describe('rules 20 to 23 and 37: payment', () => {
  const last = historyOf('2026-09')
  const owing = (balance_forward: string, rest: Partial<AuditInput> = {}) =>
    withBill(
      { balance_forward, amount_due: wireOf(Math.round(Number(bill.current_charges) * 100) + Math.round(Number(balance_forward) * 100)) },
      rest,
    )

  test('a balance is measured against the bill before where that one was paid here', () => {
    expect(only(owing('25.00'), 'balance_forward')).toMatchObject({ severity: 'E!', expected: '0.00', other_bill_id: last.id })
    expect(
      only(
        owing('25.00', { history: lastBill({ amount_paid: wireOf(Math.round(Number(last.amount_due) * 100) - 2500) }) }),
        'balance_forward',
      ),
    ).toMatchObject({ severity: 'W' })
    expect(only(owing('25.00', { history: lastBill({ paid: false, amount_paid: null }) }), 'balance_forward').message).toContain(
      'is unpaid',
    )
    expect(only(owing('25.00', { history: [] }), 'balance_forward').message).toContain('missing')
    expect(found(owing('-25.00', { history: lastBill({ paid: false }) }))).toContain('balance_forward I')
  })

  test.each([
    ['received late', { paid_on: '2026-10-30', received_on: '2026-10-25' }],
    ['approved late', { paid_on: '2026-10-30', batched_on: '2026-10-28' }],
    ['paid late', { paid_on: '2026-10-30' }],
    ['unpaid', { paid: false }],
    ['paid in time', {}],
  ])('a late fee says who was late: %s', (words, some) => {
    const given = withBill(
      { late_fee: '5.00', amount_due: wireOf(Math.round(Number(bill.current_charges) * 100) + 500) },
      { history: lastBill(some) },
    )
    expect(only(given, 'late_fee').message).toContain(words)
  })

  test.each([
    ['2026-11-02', '2026-11-05', 'E'],
    ['2027-01-03', '2026-11-05', 'E'],
    ['2027-01-02', '2026-11-05', null],
    ['2026-11-22', '2026-11-19', null],
    ['2026-11-22', '2026-11-20', null],
    ['2026-11-22', '2026-11-23', null],
  ])('due on %s, seen on %s', (due_date, today, severity) => {
    expect(found(withBill({ due_date }, { today })).filter((one) => one.startsWith('due_date'))).toEqual(
      severity ? [`due_date ${severity}`] : [],
    )
  })

  test('what is paid, or older than the history it came with, is not compared with today', () => {
    expect(found(withBill({ paid: true }, { today: '2027-06-01' }))).toEqual([])
    expect(found(withBill({}, { today: '2027-06-01', context: { ...ordinaryContext, history_import_on: '2027-06-01' } }))).toEqual([])
    expect(
      found(
        withBill({ due_date: '2026-11-02' }, { today: '2027-06-01', context: { ...ordinaryContext, history_import_on: '2027-06-01' } }),
      ),
    ).toContain('due_date E')
  })

  test('dates in the future, reads long after the bill, and bills that come very late', () => {
    expect(found(withBill({}, { today: '2026-11-02' }))).toContain('date_sanity E')
    expect(found(withLine({ read_date: '2026-11-06' }))).toContain('date_sanity E')
    expect(found(withLine({ read_date: '2026-11-07' }, { today: '2026-11-10' }))).toContain('date_sanity W')
    expect(found(withBill({}, { today: '2027-02-02' }))).toContain('date_sanity W')
    expect(found(withBill({}, { today: '2027-02-01' }))).not.toContain('date_sanity W')
  })

  test('a vendor needs what its pay type needs', () => {
    const paidBy = (some: Partial<typeof vendor>) => found({ ...input, vendor: { ...vendor, ...some } })
    expect(paidBy({ payment_methods: [] })).toEqual(['vendor_pay E!'])
    expect(paidBy({ has_routing_number: false })).toEqual(['vendor_pay E!'])
    expect(paidBy({ payment_methods: ['Check'], has_remit_address: false })).toEqual(['vendor_pay E!'])
    expect(paidBy({ payment_methods: ['Autopay'], has_remit_address: false, has_account_number: false })).toEqual([])
    expect(found({ ...input, vendor: null })).toEqual(['vendor_pay E!'])
    expect(found({ ...input, vendor: null, context: { ...ordinaryContext, payments_managed: false } })).toEqual([])
  })
})

describe('rules 24 to 26, 31, 33 and 36: account, meters, books', () => {
  test('closed accounts and meters hold the payment; dates on file decide over today', () => {
    expect(found({ ...input, account: { ...account, active: false } })).toEqual(['inactive E!'])
    expect(found(withService({ active: false }))).toEqual(['inactive E!'])
    expect(found(withService({ active: false, effective_to: '2026-11-30' }))).toEqual([])
    expect(found(withService({ effective_to: '2026-09-15' }))).toEqual(['inactive E!'])
    expect(found(withService({ effective_from: '2026-11-15' }))).toEqual(['inactive E!'])
  })

  test('an active meter without a line, and a meter that nobody knows', () => {
    const second = { ...service, id: 12, meter_number: 'E-2' }
    const billedIn = (place: number) =>
      history.map((one, at) =>
        at === history.length + place ? { ...one, lines: one.lines.flatMap((old) => [old, { ...old, service_id: 12 }]) } : one,
      )
    const given = { ...input, services: [service, second], history: billedIn(-3) }
    expect(only(given, 'missing_service')).toMatchObject({ severity: 'W', service_id: 12, line: null })
    expect(found({ ...given, services: [service, { ...second, active: false }] })).toEqual([])
    expect(found({ ...given, services: [service, { ...second, effective_from: '2026-12-01' }] })).toEqual([])
    // Three bills without the meter: it was exchanged, or is yet to come. A new account has had no bill that could show it.
    expect(found({ ...given, history: billedIn(-4) })).toEqual([])
    const young = { ...given, history: history.slice(-2) }
    expect(found(young)).toContain('missing_service W')
    expect(found({ ...young, context: { ...ordinaryContext, history_import_on: '2027-06-01' } })).toEqual([])
    // A later bill shows that the meter came only then.
    const later = { ...historyOf('2026-11'), lines: historyOf('2026-11').lines.map((old) => ({ ...old, service_id: 12 })) }
    expect(found({ ...young, history: [...young.history, later] })).not.toContain('missing_service W')
    expect(found({ ...input, context: { ...ordinaryContext, unknown_meters: ['X-9'] } })).toEqual(['unknown_meter E'])
  })

  test('another tariff than the one on file', () => {
    expect(found(withLine({ rate_schedule: 'GS-2' }))).toEqual(['rate_changed W'])
    expect(found(withLine({ rate_schedule: ' gs-1 ' }))).toEqual([])
  })

  test('supply is compared with delivery; a supply bill that never comes is missed by night only', () => {
    const { previous_read_date, read_date } = input.bill.service_bills[0] ?? { previous_read_date: null, read_date: null }
    const delivered = (standard_usage: string, from = previous_read_date) => ({ previous_read_date: from, read_date, standard_usage })
    const supplied = (...linked_lines: ReturnType<typeof delivered>[]) => found(withService({ is_supply: true, linked_lines }))
    expect(supplied(delivered('6096.000000'))).toEqual([])
    expect(supplied(delivered('6200.000000'))).toEqual(['supply_match W'])
    expect(supplied(delivered('3000.000000'), delivered('3096.000000'))).toEqual([])
    expect(supplied(delivered('6200.000000', '2026-09-15'))).toEqual([])
    const waiting = withService({ expects_supply_bill: true }, { today: '2026-12-20', context: { ...ordinaryContext, is_nightly: true } })
    expect(found(waiting)).toContain('supply_match W')
    expect(found({ ...waiting, today: '2026-12-18' })).not.toContain('supply_match W')
    expect(found({ ...waiting, context: ordinaryContext })).not.toContain('supply_match W')
    const linked_lines = [delivered('1.000000')]
    expect(
      found(withService({ expects_supply_bill: true, linked_lines }, { today: '2026-12-20', context: waiting.context })),
    ).not.toContain('supply_match W')
  })

  test('a supplier’s meter that no delivery meter of its facility is linked to counts twice', () => {
    expect(found(withService({ is_supply: true, lacks_delivery: true }))).toEqual(['supply_unlinked W'])
  })

  test('the books ask only when a client batch closes', () => {
    const closing = { context: { ...ordinaryContext, for_accounting_batch: true } }
    expect(found(withService({ ledger_shares: [] }))).toEqual([])
    expect(found(withService({ ledger_shares: [] }, closing))).toEqual(['gl_incomplete E'])
    expect(found(withService({ ledger_shares: [{ ledger_account_id: 1, share_ratio: '1.0000', active: false }] }, closing))).toEqual([
      'gl_incomplete E',
    ])
    expect(found(withService({ ledger_shares: [{ ledger_account_id: 1, share_ratio: '0.9999', active: true }] }, closing))).toEqual([
      'gl_incomplete E',
    ])
    expect(found({ ...input, ...closing })).toEqual([])
  })
})

describe('rules 28 to 30: demand', () => {
  const factors = (...list: [string, string][]) =>
    withLine({ service_bill_usage_factors: list.map(([name, value]) => factor(name, value)) })

  test('billed demand above the year, below what was metered, or held by a ratchet', () => {
    expect(found(factors(['KW Billed', '25.0000']))).toEqual([])
    expect(found(factors(['KW Billed', '26.0000']))).toContain('demand W')
    expect(found(factors(['KW Billed', '18.0000'], ['KW Actual', '19.0000']))).toContain('demand W')
    expect(found(factors(['KW Billed', '20.0000'], ['KW Actual', '15.0000']))).toContain('demand I')
    expect(found(factors(['KW Billed', '0.0000']))).toEqual([])
  })

  test('energy beyond what the demand allows is impossible, very little is information', () => {
    expect(found(factors(['KW Actual', '8.0000']))).toContain('load_factor E')
    expect(found(factors(['KW Actual', '100.0000']))).toContain('load_factor I')
    expect(found(factors(['KW Actual', '20.0000']))).toEqual([])
  })

  test('a power factor below 0.90 costs, above 1 is none', () => {
    expect(found(factors(['Power Factor', '0.8999']))).toEqual(['power_factor W'])
    expect(found(factors(['Power Factor', '0.9000']))).toEqual([])
    expect(found(factors(['Power Factor', '1.0001']))).toEqual(['power_factor E'])
  })
})

describe('silence', () => {
  const loud = withLine({ rate_schedule: 'GS-2', multiplier: '41.0000' }, { vendor: { ...vendor, payment_methods: [] } })

  test('warnings of a small bill stay silent, errors do not', () => {
    expect(found(loud)).toEqual(expect.arrayContaining(['rate_changed W', 'multiplier_change E', 'vendor_pay E!']))
    expect(found({ ...loud, settings: [{ min_cost: '1000.00' }] })).not.toContain('rate_changed W')
    expect(found({ ...loud, settings: [{ min_cost: '1000.00' }] })).toContain('multiplier_change E')
  })

  test('audits that are off leave only what holds a payment; off on a meter they leave nothing of the meter', () => {
    expect(found({ ...loud, account: { ...account, audits_off: true } })).toEqual(['vendor_pay E!'])
    expect(found({ ...loud, services: [{ ...service, audits_off: true }] })).toEqual(['vendor_pay E!'])
    expect(found({ ...loud, settings: [{ disabled_codes: ['vendor_pay', 'multiplier_change', 'usage_math'] }] })).toEqual([
      'rate_changed W',
    ])
  })

  test('the nearest level decides a threshold', () => {
    const levels = [{ read_gap_error_days: 10 }, { read_gap_error_days: 20 }]
    expect(mergeAuditSettings(levels).read_gap_error_days).toBe(20)
    expect(mergeAuditSettings([{ min_cost: undefined }]).min_cost).toBe('50.00')
    const gap = withLine({ previous_read_date: '2026-10-15' }, { settings: levels })
    expect(found(gap)).toContain('read_gap W')
    expect(found({ ...gap, services: [{ ...service, audit_settings: { read_gap_error_days: 5 } }] })).toContain('read_gap E')
  })

  test('stored settings are checked: unknown keys and odd amounts are refused', () => {
    expect(auditSettingsPatch.safeParse({ min_cost: '75.00', usage_high_warning_percent: 40 }).success).toBe(true)
    expect(auditSettingsPatch.safeParse({ min_cost: 75 }).success).toBe(false)
    expect(auditSettingsPatch.safeParse({ min_coast: '75.00' }).success).toBe(false)
    expect(auditSettingsPatch.parse(defaultAuditSettings)).toEqual(defaultAuditSettings)
  })
})

describe('flags', () => {
  const findings = auditBill(withLine({ previous_read_date: '2026-09-20', multiplier: '41.0000', estimated: true, usage: '99999.000' }))

  test('[BILL-FIELD-013] the six flags of the specification follow the findings of their rules', () => {
    expect(fieldFlags(findings)).toMatchObject({
      previous_read_date_flag: true,
      number_of_days_flag: true,
      multiplier_flag: true,
      usage_flag: true,
      previous_reading_flag: false,
      estimated_flag: false,
    })
    const readings = auditBill(withLine({ previous_reading: '1.00', estimated: true }, { history: lastBill({}, { estimated: true }) }))
    expect(fieldFlags(readings)).toMatchObject({ previous_reading_flag: true, estimated_flag: true, previous_read_date_flag: false })
    expect(fieldFlags([])).toEqual({
      previous_read_date_flag: false,
      number_of_days_flag: false,
      previous_reading_flag: false,
      multiplier_flag: false,
      usage_flag: false,
      estimated_flag: false,
      flags: {},
      any_child_flags: false,
    })
  })

  test.each([
    ['read_gap', 'previous_read_date_flag'],
    ['period_length', 'number_of_days_flag'],
    ['reading_break', 'previous_reading_flag'],
    ['multiplier_change', 'multiplier_flag'],
    ['usage_high', 'usage_flag'],
    ['estimated_run', 'estimated_flag'],
    ['header_math', null],
  ] as const)('[BILL-FIELD-013] %s alone raises %s and none of the others', (code, flag) => {
    const [one] = findings
    if (!one) throw new Error('nothing was found')
    const { flags: _flags, any_child_flags: _child, ...six } = fieldFlags([{ ...one, code, severity: 'W' }])
    expect(Object.entries(six).flatMap(([name, raised]) => (raised ? [name] : []))).toEqual(flag === null ? [] : [flag])
  })

  test('flags are code to message, and any_child_flags tells of lines, meters and linked bills', () => {
    expect(fieldFlags(findings).flags['multiplier_change']).toBe("The multiplier 41 is not the meter's 40")
    expect(fieldFlags(findings).any_child_flags).toBe(true)
    const ofBill = auditBill(withBill({ amount_due: '1.00' }))
    expect([fieldFlags(ofBill).any_child_flags, fieldFlags(ofBill, true).any_child_flags]).toEqual([false, true])
    expect(fieldFlags(auditBill({ ...input, context: { ...ordinaryContext, unknown_meters: ['X'] } })).any_child_flags).toBe(true)
  })

  test('information is no flag', () => {
    const informed = auditBill(withLine({ estimated: true }))
    expect(informed.map(isFlag)).toEqual([false])
    expect(fieldFlags(informed)).toMatchObject({ estimated_flag: false, any_child_flags: false, flags: {} })
  })

  test('flags of one line leave the others out', () => {
    const two = auditBill(
      withBill(
        { service_bills: [line, { ...line, service_id: 12, multiplier: '2.0000' }] },
        { services: [service, { ...service, id: 12, meter_multiplier: '3.0000' }] },
      ),
    )
    expect([lineFlags(two, 0).multiplier_flag, lineFlags(two, 1).multiplier_flag]).toEqual([false, true])
  })

  test('open errors count what blocks too', () => {
    expect(countOpen([{ severity: 'E!' }, { severity: 'E' }, { severity: 'W' }, { severity: 'I' }])).toEqual({
      open_errors: 2,
      open_blocking: 1,
      open_warnings: 1,
    })
  })
})

describe('any input', () => {
  const wire = fc.option(fc.integer({ min: -9_999_999, max: 9_999_999 }).map(wireOf))
  const date = fc.option(fc.constantFrom('2026-10-01', '2026-09-15', '2026-11-30', '2024-02-29', '2027-01-01'))
  const decimal = fc.option(fc.constantFrom('0', '0.000', '1', '40.0000', '99999.99', '-5.5', '123456789.123'))
  const anyLine = fc
    .record({
      ...Object.fromEntries(Object.entries(line).map(([key, value]) => [key, fc.constant(value)])),
      service_id: fc.option(fc.constantFrom(11, 12, 99)),
      previous_read_date: date,
      read_date: date,
      previous_reading: decimal,
      meter_reading: decimal,
      multiplier: decimal,
      usage: decimal,
      unit_id: fc.option(fc.constantFrom(1, 2, 3)),
      estimated: fc.boolean(),
      service_bill_entry_fields: fc.array(fc.record({ name: fc.constantFrom('Utility Charges', 'Supply Taxes', 'x'), value: wire }), {
        maxLength: 3,
      }),
      service_bill_usage_factors: fc.array(
        fc.record({
          name: fc.constantFrom('KW Billed', 'KW Actual', 'Power Factor', 'Therm Factor'),
          value: decimal,
          adjustment_factor: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
    })
    .map((some) => ({ ...line, ...some }))
  const anyInput = fc
    .record({
      date,
      due_date: date,
      balance_forward: wire,
      current_charges: wire,
      late_fee: wire,
      amount_due: wire,
      paid: fc.boolean(),
      rebill_adjustment: fc.boolean(),
      service_bills: fc.array(anyLine, { maxLength: 3 }),
    })
    .map((some) => withBill(some))

  test('never throws, always names a known code, and says the same thing twice', () => {
    fc.assert(
      fc.property(anyInput, (given) => {
        const findings = auditBill(given)
        expect(
          findings.every(
            (finding) => auditCodes.includes(finding.code) && finding.message !== '' && !/NaN|undefined|Infinity/.test(finding.message),
          ),
        ).toBe(true)
        expect(auditBill(given)).toEqual(findings)
      }),
      { numRuns: propertyRuns },
    )
  })

  test('a draft of nothing but empty fields is silent about what it does not know', () => {
    const empty = withBill({
      date: null,
      due_date: null,
      invoice_number: null,
      balance_forward: null,
      current_charges: null,
      amount_due: null,
      service_bills: [],
    })
    expect(found({ ...empty, services: [] })).toEqual([])
  })
})

describe('history', () => {
  test('a saved bill becomes history with its cost and its usage in the standard unit; an unsaved one does not', () => {
    expect(historyBill(bill, [service])).toBeNull()
    const saved = {
      ...bill,
      id: 7,
      late_fee: '1.00',
      service_bills: [{ ...line, usage: '2.500', unit_id: 3, service_bill_usage_factors: [factor('Demand', '9.0000')] }],
    }
    expect(historyBill(saved, [service])?.lines).toMatchObject([
      {
        service_id: 11,
        unit_id: 3,
        usage: '2.500',
        standard_usage: '2500.000000',
        kw_billed: '9.0000',
        cost: wireOf(Math.round(Number(bill.current_charges) * 100) + 100),
      },
    ])
  })

  test('later bills of the account are no history of an earlier one, but may be its duplicate', () => {
    const september = historyOf('2026-09')
    const late = withBill(
      {
        date: '2026-09-03',
        due_date: '2026-09-22',
        invoice_number: 'A',
        service_bills: [
          { ...line, previous_read_date: '2026-08-01', read_date: '2026-09-01', previous_reading: null, meter_reading: null },
        ],
      },
      { history: [september, ...history.slice(0, 22)] },
    )
    expect(found(late).filter((one) => one.startsWith('read_'))).toEqual([])
    expect(found({ ...late, bill: { ...late.bill, invoice_number: september.invoice_number } })).toContain('duplicate_exact E!')
  })
})
