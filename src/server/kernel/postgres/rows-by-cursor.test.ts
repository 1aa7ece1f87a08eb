import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../../test/support/cluster.ts'
import type { Tx } from './database.ts'
import { rowsByCursor } from './rows-by-cursor.ts'

const { db } = await testDatabase()
const numbers = (most: number) => sql<{ n: number }>`select n from generate_series(1, ${most}::int) n where n <> ${2}::int order by n`

async function parts(tx: Tx, most: number): Promise<number[][]> {
  const read: number[][] = []
  for await (const rows of rowsByCursor(tx, numbers(most), { name: 'counted', atOnce: 3 })) {
    // Other questions of the same transaction come between the parts.
    await sql`select 1`.execute(tx)
    read.push(rows.map(({ n }) => n))
  }
  return read
}

test('every row comes once, in order and in parts, while the transaction asks other questions', async () => {
  await db.transaction().execute(async (tx) => {
    expect(await parts(tx, 8)).toEqual([[1, 3, 4], [5, 6, 7], [8]])
    // The same name is free again, also where the last part is full or nothing comes.
    expect(await parts(tx, 7)).toEqual([
      [1, 3, 4],
      [5, 6, 7],
    ])
    expect(await parts(tx, 0)).toEqual([])
  })
})
