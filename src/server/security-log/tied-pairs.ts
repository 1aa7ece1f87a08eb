/** The tied people: who could have been two persons at once. For whoever manages the people of every client. */
import { tiedPair, tiedPairCalls, tiedSubjects } from '#contract/security-log/tied-pair.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { defineRows } from '../kernel/lists/export.ts'
import type { Asked } from '../kernel/lists/list.ts'
import { exportHandler, listAnswer, resource } from '../kernel/lists/resource.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import { reachesEveryClient } from '../kernel/principal.ts'
import { forbidden } from '../kernel/problem.ts'
import { tiedPairRows } from './tied-pair-rows.ts'

/** A user who is gone keeps their number. */
const named = (of: string) =>
  sql`coalesce((select ${nameOfUser('named', 'username')} from users named where named.id = ${sql.ref(`tied_pairs.${of}`)}),
    'User #' || ${sql.ref(`tied_pairs.${of}`)}) collate natural_order`
const worded = (key: string) => sql`${sql.ref(`tied_pairs.${key}`)} collate natural_order`

const tiedPairs = resource({
  entity: tiedPair,
  table: 'tied_pairs',
  scope: 'shared',
  joins: { client: sql`left join clients on clients.id = tied_pairs.client_id` },
  columns: {
    lock_version: { sql: sql`0` },
    client_id: { sql: sql`nullif(tied_pairs.client_id, 0)` },
    client_name: { sql: sql.ref('clients.name'), joins: ['client'] },
    person: { sql: named('person_id') },
    other: { sql: named('other_id') },
    through: { sql: sql`case when tied_pairs.through_id is not null then ${named('through_id')} end` },
    person_acts: { sql: worded('person_acts') },
    other_acts: { sql: worded('other_acts') },
    tie: { sql: worded('tie') },
  },
  cells: {
    subject: () =>
      sql`case tied_pairs.subject ${sql.join(
        tiedSubjects.map(({ value, label }) => sql`when ${sql.lit(value)} then ${sql.lit(label)}`),
        sql` `,
      )} end`,
  },
})

const madeRows = defineRows('tied_pairs', z.object({ of: z.string() }), () => tiedPairRows())

/** Ties and acts raise no version that totals depend on, so a total is cached for a second. */
function asked(context: Context): Asked {
  if (!reachesEveryClient(context.reach)) throw forbidden('Only who manages the people of every client sees the tied people.')
  const { reach, principal } = context
  return { reach, ...madeRows(principal, { reach }, { of: now().toISOString().slice(0, 19) }) }
}

export const tiedPairHandlers: readonly Handler[] = [
  handle(tiedPairCalls.list, (context, { query }) => listAnswer(context, tiedPairs, query, asked(context))),
  exportHandler(tiedPairCalls.exportCsv, tiedPairs, asked),
]
