/** How the calls of the provider's desk are asked. */
import { sql } from 'kysely'
import type { Asking, Recipes } from './recipe.ts'
import { firstId, insert, makeBill, unique, type Db, type Place } from './world.ts'

/** Today's bank value as these bodies name it. @returns its id. */
export async function setBankValue(db: Db, { value = '1000000.00', locked = true } = {}): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into global_batch_bank_values (day, value, locked)
    values ((now() at time zone 'America/New_York')::date, ${value}, ${locked})
    on conflict (day) do update set value = ${value}, locked = ${locked}, attempts = 3 returning id`.execute(db)
  return rows[0]?.id ?? 0
}

/** A bill that the desk can pay by check. */
export async function makePayableBill(db: Db, place: Place): Promise<number> {
  const vendor = await checkVendor(db)
  const id = await makeBill(db, place, { billable_account_id: place.accountId })
  await sql`update bills set vendor_id = ${vendor} where client_id = ${place.clientId} and id = ${id}`.execute(db)
  return id
}

/** Made once, also by two askers at the same time. */
async function checkVendor(db: Db): Promise<number> {
  await sql`with made as (insert into vendors (name, short_code) values ('Desk Vendor', 'DESK') on conflict do nothing returning id)
    insert into vendor_payment_methods (vendor_id, payment_method_id) select made.id, payment_methods.id from made, payment_methods
    where payment_methods.name = 'Check'`.execute(db)
  return firstId(db, 'vendors', { short_code: 'DESK' })
}

/** An open batch of the desk with one bill of 1.00. */
export async function makeGlobalBatch(db: Db, place: Place, type = 'Check'): Promise<number> {
  const { clientId: client_id } = place
  const bill_id = await makePayableBill(db, place)
  const head = {
    client_id,
    is_global: true,
    payment_method: type,
    batch_date: '2026-01-05',
    bills_due_date: '2026-01-19',
    notes: unique('Desk'),
  }
  const payment_batch_id = await insert(db, 'payment_batches', head)
  const vendor_payment_id = await insert(db, 'vendor_payments', { client_id, payment_batch_id, vendor_id: await checkVendor(db) })
  await insert(db, 'payment_batch_bills', { client_id, bill_id, payment_batch_id, vendor_payment_id, amount_paid: '1.00' })
  await sql`update bills set vendor_payment_id = ${vendor_payment_id} where client_id = ${client_id} and id = ${bill_id}`.execute(db)
  return payment_batch_id
}

const batchIds = async ({ world: { db, places } }: Asking) => ({ id: await makeGlobalBatch(db, places.own) })
const dates = { batch_date: '2026-02-02', bills_due_date: '2026-02-16' }

export const deskRecipes: Recipes = {
  'global_batch_bank_value.update': {
    body: async ({ world: { db } }) => {
      await setBankValue(db, { value: '5.00', locked: false })
      return { current_value: '5.00', new_value: '6.00', locked: false }
    },
  },
  'global_batch_bank_value.lock': {
    body: async ({ world: { db } }) => {
      await setBankValue(db, { value: '5.00', locked: false })
      return { current_value: '5.00', new_value: '5.00', locked: true }
    },
  },
  'global_batches.get': { ids: batchIds },
  'global_batches.create': {
    body: async ({ world: { db, places } }) => {
      await setBankValue(db)
      return { global_batch: { ...dates, bill_ids: [await makePayableBill(db, places.own)] } }
    },
  },
  'global_batches.update': {
    ids: batchIds,
    body: async ({ world: { db } }) => {
      await setBankValue(db)
      return { global_batch: { notes: unique('Notes') } }
    },
  },
  'global_batches.unbatch': { body: async ({ world: { db, places } }) => ({ ids: [await makeGlobalBatch(db, places.own)] }) },
  'global_batches.temp_pay_method': {
    body: async ({ world: { db, places } }) => ({ ids: [await makeGlobalBatch(db, places.own)], temp_method: 'OP' }),
  },
}
