/** A first payment as the server finds it: with the users who made the change. */
import type { FirstPayment } from '#contract/global-batches/first-payment.ts'
import { sql, type RawBuilder } from 'kysely'
import { personName } from '../vendors/vendors.ts'

export interface FoundFirst extends FirstPayment {
  /** The users who changed it since the last payment. */
  readonly changers: readonly number[]
}

/** The name of the user who asked for a change. Changes of long ago have no user. */
export const namedChanger = (id: RawBuilder<unknown>) =>
  sql<string>`(case when ${id} is null then 'an unknown user' else ${personName(id)} end)`
