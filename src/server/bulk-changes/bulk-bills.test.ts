import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { loadPrincipal } from '../access/access.ts'
import { createBills } from '../bills/bills.ts'
import { setClock } from '../kernel/clock.ts'

const { ask, database } = await startTestApp()
const { db } = database
setClock('2026-01-20T15:00:00Z')
let at: Ground
let maker: Person
let other: Person
let narrow: Person

beforeAll(async () => {
  at = await makeGround(db)
  maker = await makePerson(db, 'client_admin', { clients: [at.clientId] })
  other = await makePerson(db, 'client_manager', { clients: [at.clientId] })
  narrow = await makePerson(db, 'client_user', { clients: [at.clientId], division: [[at.clientId, at.divisionId]] })
  await sql`update clients set override_limit = 500 where id = ${at.clientId}`.execute(db)
})

let month = 0
async function bill(change: Parameters<typeof monthlyDraft>[2] = {}): Promise<number> {
  const principal = await loadPrincipal(db, maker.id)
  if (!principal) throw new Error('no principal')
  const draft = monthlyDraft(at, ++month, change)
  const [outcome] = await acting(database, (context) => createBills(context, at.clientId, [draft]), { principal })
  if (outcome?.kind !== 'created') throw new Error(JSON.stringify(outcome))
  return outcome.id
}
const send = (who: Person, body: object) => ask(who, 'POST', `/clients/${at.clientId}/bills/bulk_changes`, body)
const undo = (who: Person, id: unknown) => ask(who, 'POST', `/clients/${at.clientId}/bulk_changes/${String(id)}/undo`)
/** Everything that a bulk change may touch: the bill without its version, and its findings. */
const stateOf = async (ids: readonly number[]) => {
  const { rows: bills } =
    await sql`select to_jsonb(bills) - 'lock_version' - 'updated_at' as row from bills where id = any(${ids}::bigint[]) order by id`.execute(
      db,
    )
  const { rows: findings } =
    await sql`select to_jsonb(found) as row from bill_findings found where bill_id = any(${ids}::bigint[]) order by id`.execute(db)
  return { bills, findings }
}

describe('many bills changed in one act', () => {
  it('are parked and held for QC, and an undo puts every one back exactly', async () => {
    const ids = [await bill(), await bill({ parked: true }), await bill()]
    const before = await stateOf(ids)
    const preview = await send(other, { ids, changes: { parked: true, qc: true }, dry_run: true })
    expect(preview.status, preview.text).toBe(200)
    expect(preview.body).toMatchObject({ counts: { selected: 3, change: 3, refused: 0 } })
    expect(await stateOf(ids)).toEqual(before)
    const done = await send(other, { ids, changes: { parked: true, qc: true }, dry_run: false, token: preview.body['token'] })
    expect(done.status, done.text).toBe(200)
    expect(done.body['message']).toBe('3 bills changed')
    const { rows } = await sql`select parked, qc from bills where id = any(${ids}::bigint[])`.execute(db)
    expect(rows).toEqual(ids.map(() => ({ parked: true, qc: true })))
    expect((await undo(other, done.body['id'])).status).toBe(200)
    expect(await stateOf(ids)).toEqual(before)
  })

  it('refuses what is paid, finalized or replaced, each with its reason, and changes the others', async () => {
    const [free, paid, finalized, replaced] = [await bill(), await bill(), await bill(), await bill()]
    await sql`update bills set paid = true where id = ${paid}`.execute(db)
    await sql`update bills set paid = true, finalized = true where id = ${finalized}`.execute(db)
    await sql`update bills set superseded_by_id = ${free} where id = ${replaced}`.execute(db)
    const preview = await send(other, { ids: [free, paid, finalized, replaced], changes: { parked: true }, dry_run: true })
    const reasons = Object.fromEntries(
      JSON.parse(preview.text).bulk_rows.map((row: { id: number; reasons: string[] }) => [row.id, row.reasons]),
    )
    expect(reasons).toEqual({
      [free]: [],
      [paid]: ['It is paid, and its fields are locked'],
      [finalized]: ['It is finalized, and its fields are locked'],
      [replaced]: ['Another bill replaces it'],
    })
    expect((await send(other, { ids: [free, paid, finalized, replaced], changes: { parked: true }, dry_run: false })).body['message']).toBe(
      '1 bill changed',
    )
    expect(
      (await sql`select id from bills where parked and id = any(${[free, paid, finalized, replaced]}::bigint[])`.execute(db)).rows,
    ).toEqual([{ id: free }])
  })

  it('have their open findings settled with one reason; an undo opens just those that it had settled', async () => {
    const [one, two, clean] = [
      await bill({ balance_forward: '5.00', amount_due: '161.00' }),
      await bill({ amount_due: '400.00' }),
      await bill(),
    ]
    await sql`update bill_findings set resolved_at = now(), reason = 'resolved_before' where bill_id = ${clean}`.execute(db)
    await sql`update bills set open_errors = 0, open_blocking = 0, open_warnings = 0 where id = ${clean}`.execute(db)
    const own = await sql<{ id: number }>`select id from bill_findings where bill_id = ${one} order by id limit 1`.execute(db)
    const settled = own.rows[0]?.id ?? 0
    expect((await ask(other, 'POST', `/clients/${at.clientId}/bill_findings/${settled}/resolve`, { reason: 'seasonal' })).status).toBe(200)
    const ids = [one, two, clean]
    const before = await stateOf(ids)
    const done = await send(other, { ids, changes: { resolve_findings: 'known_event' }, dry_run: false })
    expect(done.status, done.text).toBe(200)
    expect(done.body).toMatchObject({ counts: { selected: 3, unchanged: 1 } })
    const { rows: left } = await sql`select id from bill_findings where bill_id = any(${ids}::bigint[]) and resolved_at is null`.execute(db)
    expect(left).toEqual([])
    const { rows: reasons } = await sql`select reason from bill_findings where id = ${settled}`.execute(db)
    expect(reasons).toEqual([{ reason: 'seasonal' }])
    expect((await undo(other, done.body['id'])).status).toBe(200)
    expect(await stateOf(ids)).toEqual(before)
  })

  it('leave what holds the payment of a bill above the limit to somebody else than its maker', async () => {
    const large = await bill({ amount_due: '900.00' })
    const asked = { ids: [large], changes: { resolve_findings: 'other' }, dry_run: true }
    expect(JSON.parse((await send(maker, asked)).text).bulk_rows[0].reasons).toEqual([
      'You made this bill, and it is above the limit: somebody else must settle what holds its payment',
    ])
    expect((await send(maker, { ...asked, dry_run: false })).status).toBe(409)
    expect((await send(other, { ...asked, dry_run: false })).status).toBe(200)
  })

  it('may be changed by a role that reaches a part of the client, inside that part alone', async () => {
    const own = await bill()
    const far = await bill()
    const { rows } = await sql<{
      id: number
    }>`insert into divisions (client_id, name, short_code, code) values (${at.clientId}, 'Far', 'X', 'X') returning id`.execute(db)
    await sql`update bills set division_id = ${rows[0]?.id ?? 0} where id = ${far}`.execute(db)
    expect((await send(narrow, { ids: [own], changes: { qc: true }, dry_run: false })).status).toBe(200)
    expect((await send(narrow, { ids: [far], changes: { qc: true }, dry_run: false })).status).toBe(404)
    expect((await ask(narrow, 'POST', `/clients/${at.clientId}/bills/sums`, { ids: [far], add_up: 'owed' })).status).toBe(404)
  })

  it('are added up while they are chosen, by ids and by filter', async () => {
    const ids = [await bill({ amount_due: '10.10', current_charges: '10.10' }), await bill({ amount_due: '0.20', current_charges: '0.20' })]
    const sums = (body: object) => ask(other, 'POST', `/clients/${at.clientId}/bills/sums`, { ...body, add_up: 'owed' })
    expect((await sums({ ids })).body).toMatchObject({ count: 2, amount_due: '10.30', current_charges: '10.30' })
    expect((await sums({ filter: { q: { id_in: ids } }, except: [ids[1]] })).body).toMatchObject({ count: 1, amount_due: '10.10' })
    expect((await sums({ filter: { q: { id_eq: 999_999_999 } } })).body).toMatchObject({ count: 0, amount_due: '0.00' })
    expect((await sums({})).status).toBe(422)
  })
})
