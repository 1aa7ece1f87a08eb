/** Tests the bank value of the day over HTTP on a real PostgreSQL: edits, locks, midnight in New York, two users at once. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type Person } from '../../../test/support/app.ts'
import { makeLastingPerson } from '../../../test/support/desk.ts'
import { setClock } from '../kernel/clock.ts'

const { ask, database } = await startTestApp()
const { db } = database
const path = '/global_batch_bank_value'
let staff: Person

beforeEach(async () => {
  staff = await makeLastingPerson(db, 'muc_admin')
  await sql`delete from global_batch_bank_values`.execute(db)
})
afterEach(() => setClock())

const read = async (who = staff) => (await ask(who, 'GET', path)).body
const change = async (new_value: string, more: object = {}, who = staff) => {
  const { value } = await read(who)
  return ask(who, 'PATCH', path, { current_value: value, new_value, locked: false, source: 'input', ...more })
}
const setLock = async (locked: boolean, more: object = {}) => {
  const { value } = await read()
  return ask(staff, 'PATCH', `${path}/lock`, { current_value: value, new_value: value, locked, source: 'button', ...more })
}

describe('the value', () => {
  it('begins with nothing, unlocked, with three edits, and each change costs one [BANK-FIELD-001] [BANK-FIELD-002] [BANK-CONST-001] [BANK-TRANS-002] [BANK-API-002]', async () => {
    expect(await read()).toMatchObject({ id: null, value: '0.00', locked: false, attempts: 3, batched_total: '0.00', remaining: '0.00' })
    expect((await change('50000')).body).toMatchObject({
      success: true,
      value: '50000.00',
      locked: false,
      attempts: 2,
      remaining: '50000.00',
    })
    expect((await change('50000.00')).body).toMatchObject({ value: '50000.00', attempts: 2, message: 'Bank value unchanged' })
    expect((await change('49999.99')).body).toMatchObject({ value: '49999.99', attempts: 1 })
  })

  it('is an amount of digits with at most two decimals, and never 0 [BANK-RULE-006] [BANK-RULE-007] [BANK-API-001]', async () => {
    for (const typed of ['-1', '1.234', '1,000', '$5', 'a']) expect((await change(typed)).status, typed).toBe(422)
    expect((await change('0.00')).status).toBe(200)
    await change('100')
    for (const typed of ['0', '0.00', '']) {
      const { status, body } = await change(typed)
      expect({ status, message: body['message'] }, typed).toEqual({ status: 422, message: 'Bank value cannot be set to 0.' })
    }
    const { value } = await read()
    const payload = {
      id: Number((await read())['id']),
      current_value: value,
      new_value: '120.5',
      attempts: 2,
      handle_lock: true,
      locked: true,
      source: 'button',
    }
    expect((await ask(staff, 'PATCH', path, payload)).body).toMatchObject({ value: '120.50', attempts: 1, locked: true })
  })

  it('locks and unlocks for nothing; locked it does not change [BANK-TRANS-001] [BANK-API-003] [BANK-RULE-001]', async () => {
    expect((await setLock(true)).status).toBe(409)
    await change('100')
    expect((await setLock(true)).body).toMatchObject({ locked: true, attempts: 2, message: 'Bank value locked' })
    expect((await change('200')).status).toBe(409)
    expect((await setLock(false)).body).toMatchObject({ locked: false, attempts: 2, message: 'Bank value unlocked' })
    expect((await change('200')).body).toMatchObject({ value: '200.00', attempts: 1 })
  })

  it('is locked by the last edit and stays so until midnight [BANK-RULE-002] [BANK-CONST-001]', async () => {
    for (const value of ['1', '2', '3']) await change(value)
    expect(await read()).toMatchObject({ value: '3.00', attempts: 0, locked: true })
    expect((await setLock(false)).status).toBe(409)
    expect((await change('4')).status).toBe(409)
    expect(await read()).toMatchObject({ value: '3.00', attempts: 0, locked: true })
  })

  it('is of the New York day, on both switches of summer time [BANK-FIELD-002] [GB-CONST-001]', async () => {
    for (const [before, after] of [
      ['2026-11-01T03:59:59Z', '2026-11-01T04:00:00Z'],
      ['2026-11-02T04:59:59Z', '2026-11-02T05:00:00Z'],
      ['2026-03-08T04:59:59Z', '2026-03-08T05:00:00Z'],
      ['2026-03-09T03:59:59Z', '2026-03-09T04:00:00Z'],
    ] as const) {
      setClock(before)
      await change('70')
      expect((await read())['value'], before).toBe('70.00')
      setClock(after)
      expect(await read(), after).toMatchObject({ value: '0.00', attempts: 3, locked: false })
    }
  })

  it('is changed by one of two people who saw the same value, and the other is told [BANK-RULE-001]', async () => {
    await change('100')
    const other = await makeLastingPerson(db, 'super_admin')
    const sent = { current_value: '100.00', locked: false }
    const answers = await Promise.all([
      ask(staff, 'PATCH', path, { ...sent, new_value: '200' }),
      ask(other, 'PATCH', path, { ...sent, new_value: '300' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.text).toContain('The bank value was changed to $')
    expect(await read()).toMatchObject({ attempts: 1 })
    expect((await change('400', { attempts: 2 })).status).toBe(409)
  })

  it('leaves in the trail who set it, from what, to what [BANK-TRANS-002]', async () => {
    await change('100')
    const { rows } = await sql<{ changes: unknown; user_id: number }>`select object_changes as changes, user_id from audit_records
      where item_type = 'global_batch_bank_value' order by id desc limit 1`.execute(db)
    expect(rows[0]).toMatchObject({ user_id: staff.id, changes: { value: { from: '0.00', to: '100.00' }, attempts: { from: 3, to: 2 } } })
  })

  it('is for the provider’s people alone [GB-PERM-001] [PERM-PERM-043]', async () => {
    for (const role of ['channel_partner_admin', 'client_admin', 'client_manager', 'client_user', 'read_only_user'] as const) {
      const person = await makeLastingPerson(db, role)
      expect((await ask(person, 'GET', path)).status, role).toBe(403)
      expect((await ask(person, 'PATCH', path, { current_value: '0', new_value: '5', locked: false })).status, role).toBe(403)
    }
    expect((await ask(null, 'GET', path)).status).toBe(401)
  })
})
