import { describe, expect, test } from 'vitest'
import { daysBetween } from '#contract/kernel/date.ts'
import { usageOf } from '#contract/kernel/decimal.ts'
import { sumMoney } from '#contract/kernel/money.ts'
import { mapStatement } from '#contract/bill-retrieval/map-statement.ts'
import { statement as statementSchema, type Statement } from '#contract/bill-retrieval/statement.ts'
import { sandboxDefects, type SandboxDefect } from './sandbox-defects.ts'
import { sandboxProvider, type SandboxProvider } from './sandbox-provider.ts'
import type { SandboxAccount } from './sandbox-written.ts'

const account = (account_number: string, change: Partial<SandboxAccount['services'][number]> = {}): SandboxAccount => ({
  account_number,
  vendor_name: 'City Power',
  payment_terms_days: 19,
  services: [
    {
      meter_number: `M${account_number}`,
      utility_service: 'Electric',
      unit: 'kWh',
      multiplier: '10',
      last_read_date: '2024-01-03',
      last_reading: '5000.00',
      usage_per_day: '120',
      rate: '0.15',
      ...change,
    },
  ],
})
const many = Array.from({ length: 100 }, (_, place) => account(String(7_000_000 + place)))
const sandbox = (accounts: readonly SandboxAccount[], spec = 1, today = '2026-11-20'): SandboxProvider =>
  sandboxProvider({ spec, accounts: async (clientCode) => (clientCode === 'ACME' ? accounts : []), today: () => today, slowMs: 30 })

async function everything(provider: SandboxProvider): Promise<Statement[]> {
  const all: Statement[] = []
  for (let cursor: string | undefined, isLast = false; !isLast;) {
    const page = await provider.listStatements({ clientCode: 'ACME', cursor })
    for (const item of page.items) all.push(await provider.getStatement(item.statement_id))
    cursor = page.next
    isLast = cursor === undefined
  }
  return all
}

describe('over 100 accounts and nearly three years', () => {
  const provider = sandbox(many)

  test('the same number makes the same statements, another number others', async () => {
    const [first, same, other] = [await everything(provider), await everything(sandbox(many)), await everything(sandbox(many, 2))]
    expect(first.length).toBeGreaterThan(3_000)
    expect(same).toEqual(first)
    expect(other).not.toEqual(first)
    expect(new Set(first.map((one) => one.statement_id)).size).toBe(first.length)
  })

  test('clean statements continue the history: dates and readings join, usage is within 8% of the typical', async () => {
    const labels = await provider.labels('ACME')
    const own = (await everything(provider)).filter(
      (one) => one.account_number === '7000003' && !['copy', 'adjustment'].some((end) => one.statement_id.endsWith(end)),
    )
    let [readDate, reading]: [string | null, string | null] = ['2024-01-03', '5000.00']
    for (const one of own) {
      const [meter] = one.meters
      if (!labels.has(one.statement_id)) {
        expect(meter).toMatchObject({ previous_read_date: readDate })
        expect(Number(meter?.previous_reading)).toBe(Number(reading))
        expect(usageOf(meter?.meter_reading ?? '', meter?.previous_reading ?? '', meter?.multiplier)).toBe(meter?.usage)
        const perDay = Number(meter?.usage) / daysBetween(meter?.previous_read_date ?? '', meter?.read_date ?? '')
        expect(Math.abs(perDay / 120 - 1)).toBeLessThan(0.0801)
      }
      readDate = meter?.read_date ?? null
      reading = meter?.meter_reading ?? null
    }
    expect(own.length).toBeGreaterThan(30)
  })

  test('about one statement in fifteen is planted, and every kind of defect occurs', async () => {
    const labels = await provider.labels('ACME')
    const statements = await everything(provider)
    expect(new Set(labels.values())).toEqual(new Set(sandboxDefects))
    expect(labels.size / statements.length).toBeGreaterThan(1 / 20)
    expect(labels.size / statements.length).toBeLessThan(1 / 10)
  })

  test('every statement is well formed, adds up and maps to a bill; no label stands on it', async () => {
    for (const one of await everything(provider)) {
      expect(statementSchema.parse(one)).toEqual(one)
      expect(sumMoney(one.printed_lines.map((line) => line.amount)), one.statement_id).toBe(one.current_charges)
      expect('cannot' in mapStatement(one, { client: 'ACME', paymentTermsDays: 19 })).toBe(false)
      for (const defect of sandboxDefects) expect(JSON.stringify(one)).not.toContain(defect)
    }
  })

  test('each label is visible in its statement', async () => {
    const labels = await provider.labels('ACME')
    const known = new Set(many.map((one) => one.account_number))
    const checked = new Set<SandboxDefect>()
    const looks: Readonly<Partial<Record<SandboxDefect, (one: Statement) => boolean>>> = {
      estimated_run: (one) => one.estimated_any,
      reading_regress: (one) => Number(one.meters[0]?.meter_reading) < Number(one.meters[0]?.previous_reading),
      usage_x10: (one) => Number(one.meters[0]?.usage) > 25_000,
      wrong_multiplier: (one) => one.meters[0]?.multiplier === '100',
      late_fee_balance_forward: (one) => Number(one.balance_forward) > 0 && Number(one.late_fee) > 0,
      unknown_meter: (one) => one.meters[0]?.meter_number !== `M${one.account_number}`,
      new_account: (one) => !known.has(one.account_number),
      adjustment_replace: (one) => one.kind === 'adjustment',
      adjustment_add: (one) => one.kind === 'adjustment' && Number(one.meters[0]?.usage) < 300,
      four_meter_summary: (one) => one.meters.length === 4,
      credit_bill: (one) => Number(one.amount_due) < 0,
      due_tomorrow: (one) => daysBetween(one.bill_date ?? '', one.due_date ?? '') === 1,
    }
    for (const one of await everything(provider)) {
      const label = labels.get(one.statement_id)
      const look = label === undefined ? undefined : looks[label]
      if (label === undefined || look === undefined) continue
      expect(look(one), `${label} ${one.statement_id}`).toBe(true)
      checked.add(label)
    }
    expect(checked.size).toBe(Object.keys(looks).length)
  })
})

test('what is taken over is not listed again, what follows stays the same, and what was listed can still be fetched', async () => {
  const accounts = [account('7000003')]
  const provider = sandbox(accounts)
  const before = await everything(provider)
  const [first, ...rest] = before.filter((one) => one.statement_id.endsWith('.bill'))
  const service = accounts[0]?.services[0]
  const meter = first?.meters[0]
  accounts[0] = account('7000003', { ...service, last_read_date: meter?.read_date ?? '', last_reading: meter?.meter_reading ?? null })
  expect((await everything(provider)).filter((one) => one.statement_id.endsWith('.bill'))).toEqual(rest)
  expect(await provider.getStatement(first?.statement_id ?? '')).toEqual(first)
})

test('services that nobody reads a meter for make no statements, nor do periods that are not billed yet', async () => {
  expect(await everything(sandbox([account('1', { utility_service: 'Telecom' })]))).toEqual([])
  expect(await everything(sandbox([account('1')], 1, '2024-01-20'))).toEqual([])
})

describe('accounts that behave as on a bad day', () => {
  const names = ['ERR401-1', 'ERRMFA-1', 'ERR429-1', 'ERR500-1', 'SLOW-1', 'CUT-1']
  const provider = sandbox(names.map((name) => account(name)))
  const idOf = async (accountNumber: string): Promise<string> => {
    const { items } = await provider.listStatements({ clientCode: 'ACME', accountNumbers: [accountNumber] })
    return items[0]?.statement_id ?? ''
  }

  test.each([
    ['ERR401-1', 'signed_out'],
    ['ERRMFA-1', 'needs_action'],
  ])('%s cannot be listed: %s', async (name, fault) => {
    await expect(idOf(name)).rejects.toMatchObject({ fault })
    expect((await everything(sandbox([account(name)]))).length).toBe(0)
  })

  test.each([
    ['ERR429-1', 'rate_limited'],
    ['ERR500-1', 'unavailable'],
  ])('%s is listed and cannot be fetched: %s', async (name, fault) => {
    await expect(provider.getStatement(await idOf(name))).rejects.toMatchObject({ fault })
  })

  test('a slow one takes its time, a cut PDF is refused', async () => {
    const started = performance.now()
    await provider.getStatement(await idOf('SLOW-1'))
    expect(performance.now() - started).toBeGreaterThan(25)
    await expect(provider.getPdf(await idOf('CUT-1'), 'ACME')).rejects.toMatchObject({ fault: 'bad_answer' })
  })

  test('the status counts sign-ins by what they need', async () => {
    await provider.listStatements({ clientCode: 'ACME' })
    expect((await provider.status()).credentials).toEqual({ ok: 4, failed: 1, needsAction: 1 })
  })
})

test('a PDF has the client’s name and is the same each time', async () => {
  const provider = sandbox([account('7000003')])
  const [item] = (await provider.listStatements({ clientCode: 'ACME' })).items
  const pdf = await provider.getPdf(item?.statement_id ?? '', 'ACME')
  expect(pdf.filename).toBe(`ACME_${item?.bill_date?.replaceAll('-', '')}_000003.pdf`)
  expect((await provider.getPdf(item?.statement_id ?? '', 'ACME')).sha256).toBe(pdf.sha256)
})

test('ids of others are not found', async () => {
  for (const id of ['x', 'QUNNRQ.NzAwMDAwMw.20240103.other', 'QUNNRQ.bm9uZQ.20240103.bill'])
    await expect(sandbox(many).getStatement(id)).rejects.toMatchObject({ fault: 'not_found' })
})
