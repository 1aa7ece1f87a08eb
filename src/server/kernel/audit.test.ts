import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/support/cluster.ts'
import { auditKeyOf, changesBetween, secretMarker, writeAudit } from './audit.ts'
import { sealAudit, verifyAudit } from './audit-chain.ts'

const { db } = await testDatabase()
const key = auditKeyOf('a key for tests, long enough to pass')
const entry = (clientId: number, id: number) => ({
  event: 'update' as const,
  item_type: 'toy',
  item_id: id,
  client_id: clientId,
  changes: { name: { from: 'a', to: `b${id}` } },
})
const write = (clientId: number, ids: readonly number[]) =>
  writeAudit(
    db,
    { user_id: 1, ip: '10.0.0.1' },
    ids.map((id) => entry(clientId, id)),
  )

const sealAll = async (): Promise<number> => {
  let sealed = 0
  for (let run = -1; run !== 0; sealed += run) run = await db.transaction().execute((tx) => sealAudit(tx, key))
  return sealed
}

beforeEach(async () => {
  await sql`truncate audit_records, audit_seals`.execute(db)
})

describe('the trail', () => {
  it('shows what differs, and a secret only as a marker', () => {
    expect(changesBetween({ a: 1, b: 2, c: null }, { a: 1, b: 3, c: 'x' }, ['a', 'b', 'c'], ['c'])).toEqual({
      b: { from: 2, to: 3 },
      c: { from: null, to: secretMarker },
    })
    expect(changesBetween({ c: 'old' }, { c: 'new' }, ['c'], ['c'])).toEqual({ c: { from: secretMarker, to: secretMarker } })
  })

  it('is sealed into one chain a client, and one for what belongs to no client, each row once', async () => {
    await write(0, [1, 2])
    await write(1, [3, 4, 5])
    expect(await sealAll()).toBe(5)
    expect(await sealAll()).toBe(0)
    await write(1, [6])
    expect(await sealAll()).toBe(1)
    expect(await verifyAudit(db, key)).toMatchObject({ checked: 6, broken: [] })
  })

  it('seals a row that was committed late although its id is lower', async () => {
    await write(1, [1, 2])
    await sql`update audit_records set id = id + 1000`.execute(db)
    await sealAll()
    await write(1, [3])
    await sealAll()
    expect((await verifyAudit(db, key)).broken).toEqual([])
  })

  it('tells an altered and a removed row, 100 times of 100', async () => {
    await write(
      3,
      Array.from({ length: 200 }, (_, at) => at),
    )
    await sealAll()
    const { rows } = await sql<{ id: number }>`select id from audit_records order by id`.execute(db)
    for (let round = 0; round < 100; round++) {
      const id = rows[(round * 37) % rows.length]?.id ?? 0
      const change =
        round % 2 === 0
          ? sql`update audit_records set object_changes = '{}' where id = ${id}`
          : sql`delete from audit_records where id = ${id}`
      const found = await db.transaction().execute(async (tx) => {
        await sql`savepoint before`.execute(tx)
        await change.execute(tx)
        const outcome = await verifyAudit(tx, key)
        await sql`rollback to savepoint before`.execute(tx)
        return outcome.broken
      })
      expect(found).toEqual([{ client_id: 3, kind: 'altered', audit_record_id: id, left: 200, kept: 0 }])
    }
  })
})
