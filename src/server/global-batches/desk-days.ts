/** Days of the desk are New York days. */
import { sql } from 'kysely'
import { z } from 'zod'
import { defineWhere } from '../kernel/lists/export.ts'
import type { Condition } from '../kernel/lists/list.ts'

/** The batches created on this New York day. */
export const madeOn = (day: string): Condition =>
  sql<boolean>`(payment_batches.created_at >= (${day}::date::timestamp at time zone 'America/New_York')
    and payment_batches.created_at < ((${day}::date + 1)::timestamp at time zone 'America/New_York'))`

/** The same for a list and its export. */
export const ofDay = defineWhere('global_batches_of_day', z.object({ day: z.string() }), ({ day }) => madeOn(day))
