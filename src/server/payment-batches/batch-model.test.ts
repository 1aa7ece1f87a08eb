/**
 * Random calls of client batches and vendor batches beside a model in memory: called one after the other, each answers what the model says and
 * leaves the sums of the model; called at once over eight connections, they leave what some order of them would leave.
 * BATCH_SEED repeats a run. MODEL_ACTS and MODEL_ROUNDS make it longer.
 */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { outcomes, requestOfAct, type Act } from '../../../test/support/batch-acts.ts'
import { randomAct, someOrderGives, type Answered } from '../../../test/support/batch-dice.ts'
import { told, type Code, type ModelVendor } from '../../../test/support/batch-model.ts'
import { expectSums, readModel, type ModelClient } from '../../../test/support/batch-state.ts'
import { diceOf, type Dice } from '../../../test/support/dice.ts'
import { makeLedgerAccount } from '../../../test/support/estate.ts'
import { brokenBeforeSync, brokenInClientBatches, expectNoneBroken } from '../../../test/support/money-invariants.ts'
import { makePaymentWorld } from '../../../test/support/payments.ts'
import { requestOf } from '../../../test/support/requests.ts'

const app = await startTestApp()
const { db } = app.database
const url = await app.listen()
const MINUTE_MS = 60_000
const PEOPLE = 8
const ACTS = Number(process.env['MODEL_ACTS'] ?? 50)
const ROUNDS = Number(process.env['MODEL_ROUNDS'] ?? 10)
/** A world wears out: what is closed and paid stays. */
const ACTS_OF_A_WORLD = 150
const ROUNDS_OF_A_WORLD = 30
const seed = Number(process.env['BATCH_SEED'] ?? Date.now() % 1_000_000_007)

interface World extends ModelClient {
  /** A bill of another client. */
  readonly foreign: number
  /** Number of the next code of a client batch. */
  next: number
}

/** Bills of two vendors that are paid by check, of one by ACH, and of an exclusive one; a credit, a parked one, and one that does not add up. */
async function makeWorld(): Promise<World> {
  const world = await makePaymentWorld(app)
  const { ground, makeBill } = world
  const { clientId } = ground
  await sql`update clients set ledger_account_management = true where id = ${clientId}`.execute(db)
  const [gas, water, lone] = [
    await world.otherVendor('Harbor Gas'),
    await world.otherVendor('Ach Water'),
    await world.otherVendor('Lone Gas'),
  ]
  await sql`update vendor_payment_methods set payment_method_id = (select id from payment_methods where name = 'ACH')
    where vendor_id = ${water.vendorId}`.execute(db)
  await sql`update vendors set is_exclusive = true where id = ${lone.vendorId}`.execute(db)
  for (const [place, owner] of [ground, ground, ground, gas, gas, water, water, lone, lone].entries()) await makeBill(place + 1, owner)
  const [parked, credit] = [await makeBill(10), await makeBill(12)]
  await makeBill(11, gas, { amount_due: '200.00' })
  await sql`update bills set parked = true where client_id = ${clientId} and id = ${parked}`.execute(db)
  await sql`update bills set current_charges = -20, amount_due = -20 where client_id = ${clientId} and id = ${credit}`.execute(db)
  await sql`update services set ledger_account_id = ${await makeLedgerAccount(db, clientId, '6100 Utilities')} where client_id = ${clientId}`.execute(
    db,
  )
  const vendors: ModelVendor[] = [
    { id: ground.vendorId, method: 'Check', isExclusive: false },
    { id: gas.vendorId, method: 'Check', isExclusive: false },
    { id: water.vendorId, method: 'ACH', isExclusive: false },
    { id: lone.vendorId, method: 'Check', isExclusive: true },
  ]
  const other = await makePaymentWorld(app)
  return { clientId, vendors: new Map(vendors.map((one) => [one.id, one])), foreign: await other.makeBill(1), next: 1 }
}

/** A busy machine may refuse a call before it begins (unavailable, overloaded): that changes nothing. */
const codes: readonly Code[] = ['not_found', 'stale', 'refused', 'invalid', 'unavailable', 'overloaded']
const isBegun = ({ code }: Answered): boolean => code !== 'unavailable' && code !== 'overloaded'

/** Calls the product over a socket of its own. */
async function send(who: Person, world: World, act: Act): Promise<Answered & { readonly text: string }> {
  const { path, ...asked } = requestOfAct(world.clientId, act, `M-${world.next++}`)
  const answer = await fetch(`${url}/api/v5${path}`, requestOf(who, asked))
  const text = await answer.text()
  const body: { code?: string; id?: number } = JSON.parse(text)
  const code = answer.status === 200 ? 'done' : codes.find((one) => one === body.code)
  if (code === undefined) throw new Error(`seed ${seed}: ${JSON.stringify(act)} answered ${answer.status} ${text}`)
  return { act, code, id: body.id ?? 0, text }
}

/** A vendor is sold now and then, so that the sync has bills to move: no call of the product changes the vendor of a bill in a batch. */
async function sellVendor({ clientId, vendors }: World, dice: Dice): Promise<void> {
  const checks = [...vendors.values()].filter(({ method, isExclusive }) => method === 'Check' && !isExclusive).map(({ id }) => id)
  await sql`update bills set vendor_id = ${checks[dice(checks.length)]} where client_id = ${clientId} and not paid
    and vendor_id = any(${checks}::bigint[]) and id % 3 = ${dice(3)} and not exists (select 1 from payment_batch_bills member
      join payment_batches batch on batch.client_id = ${clientId} and batch.id = member.payment_batch_id
      where member.client_id = ${clientId} and member.bill_id = bills.id and member.released_at is null and batch.has_been_closed)`.execute(
    db,
  )
}

const batchOf = (act: Act, id: number): number => ('batch' in act ? act.batch : id)

function counted(counts: Map<string, number>, { act, code }: Answered): void {
  const key = `${act.kind}: ${code}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const shown = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted()
    .map(([key, count]) => `${key} ${count}`)
    .join(', ')

async function expectWhole(): Promise<void> {
  await expectNoneBroken(db, brokenBeforeSync)
  await expectNoneBroken(db, brokenInClientBatches)
}

it(
  'one after the other, calls of batches answer what the model says, and every sum is that of the model',
  { timeout: 10 * MINUTE_MS },
  async () => {
    console.log(`batch model: seed ${seed}, ${ACTS} calls`)
    const dice = diceOf(seed)
    const who = await makePerson(db, 'super_admin')
    const counts = new Map<string, number>()
    let made: World | null = null
    for (let step = 0; step < ACTS; step++) {
      if (made === null || step % ACTS_OF_A_WORLD === 0) made = await makeWorld()
      const world = made
      if (dice(25) === 0) await sellVendor(world, dice)
      const model = await readModel(db, world)
      const act = randomAct(model, dice, world.foreign)
      const answered = await send(who, world, act)
      counted(counts, answered)
      const may = isBegun(answered) ? outcomes(model, act, answered.id) : [{ code: answered.code, model }]
      const told_ = `seed ${seed}, step ${step}: ${JSON.stringify(act)} answered ${answered.text.slice(0, 500)}`
      expect(
        may.map(({ code }) => code),
        told_,
      ).toContain(answered.code)
      const after = await readModel(db, world)
      const asModel = may.filter(({ code }) => code === answered.code).map((one) => told(one.model))
      if (!asModel.includes(told({ ...after, lastPayment: model.lastPayment })))
        expect(told({ ...after, lastPayment: model.lastPayment }), told_).toBe(asModel[0])
      await expectSums(app.ask, who, world.clientId, after, [batchOf(act, answered.id)])
    }
    console.log(`batch model: ${shown(counts)}`)
    await expectWhole()
  },
)

it(
  'at once over eight connections, calls of batches leave what some order of them leaves, and none that was done is lost',
  { timeout: 10 * MINUTE_MS },
  async () => {
    console.log(`batch model at once: seed ${seed}, ${ROUNDS} rounds of ${PEOPLE}`)
    const dice = diceOf(seed + 1)
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => makePerson(db, 'super_admin')))
    const counts = new Map<string, number>()
    let world: World | null = null
    for (let round = 0; round < ROUNDS; round++) {
      if (world === null || round % ROUNDS_OF_A_WORLD === 0) world = await makeWorld()
      const at = world
      const before = await readModel(db, at)
      const calls = people.map((who) => ({ who, act: randomAct(before, dice, at.foreign) }))
      const answers = await Promise.all(calls.map(({ who, act }) => send(who, at, act)))
      for (const answer of answers) counted(counts, answer)
      const after = await readModel(db, at)
      const isExplained = someOrderGives(before, answers.filter(isBegun), told({ ...after, lastPayment: before.lastPayment }))
      if (!isExplained) {
        const sent = answers.map(({ act, code, text }) => `${JSON.stringify(act)} ${code} ${text.slice(0, 200)}`).join('\n')
        throw new Error(
          `seed ${seed}, round ${round}: no order of these calls leaves what is stored\n${sent}\nbefore ${told(before)}\nafter ${told(after)}`,
        )
      }
    }
    console.log(`batch model at once: ${shown(counts)}`)
    await expectWhole()
  },
)
