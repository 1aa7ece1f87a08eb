import { describe, expect, it } from 'vitest'
import { actions, allows, mayDo, models } from './permission.ts'
import { maskedModels, permissionsOfRole, roleNames } from '../access/rights.ts'

describe('the decision', () => {
  const map = { vendor: ['read', 'update'], client: ['read_subscription'] } as const

  it('is by action on model [PERM-RULE-008] [PERM-FIELD-001] [PERM-FIELD-002]', () => {
    expect(allows(map, 'vendor.update')).toBe(true)
    expect(allows(map, 'vendor.destroy')).toBe(false)
    expect(allows(map, 'client.read_subscription')).toBe(true)
    expect(allows(map, 'bill.read')).toBe(false)
    expect([...actions]).toEqual(['read', 'create', 'update', 'destroy', 'read_subscription'])
    for (const role of roleNames) {
      const subscribed = Object.entries(permissionsOfRole(role)).filter(([, held]) => held.includes('read_subscription'))
      expect(subscribed.map(([model]) => model).filter((model) => model !== 'client')).toEqual([])
    }
  })

  it('knows the models of the specification [PERM-FIELD-003]', () => {
    const named =
      'client division facility billable_account supply_account bill user channel_partner vendor utility_service global_batch setting accounting_batch payment_batch ledger_field ledger_account generated_report advanced_search bill_document bill_notes site_survey service'
    // Three more than those: vendors' bank details, on which two users decide, webhooks, and reversals of payments.
    const own: readonly string[] = ['vendor_bank_detail', 'webhook', 'payment_reversal']
    expect(models.filter((model) => !own.includes(model))).toEqual(named.split(' '))
  })

  it('takes any one permission of a group [PERM-PERM-003]', () => {
    expect(mayDo(map, ['bill.read', 'vendor.read'])).toBe(true)
    expect(mayDo(map, ['bill.read', 'facility.read'])).toBe(false)
    expect(mayDo(map, 'signed_in')).toBe(true)
  })
})

describe('the rights of the roles [PERM-RULE-006] [PERM-RULE-007]', () => {
  it('are those of the documented matrix', () => {
    const told = Object.fromEntries(roleNames.map((role) => [role, permissionsOfRole(role)]))
    expect(told).toMatchSnapshot()
  })

  it('give no role below the provider an update of vendors, whose fields route payments', () => {
    for (const role of roleNames.slice(2)) expect(permissionsOfRole(role).vendor).toEqual(['read'])
    for (const role of roleNames)
      expect(permissionsOfRole(role).vendor_bank_detail?.length).toBe(roleNames.indexOf(role) < 2 ? 2 : undefined)
  })

  it('let no client switch on its own subscriptions: update on client is the partner’s and the provider’s', () => {
    for (const role of roleNames.slice(3)) expect(permissionsOfRole(role).client).not.toContain('update')
  })

  it('are masked by what the client has subscribed to', () => {
    const off = {
      user_management: false,
      utility_payment_management: false,
      accounting_batch_management: false,
      ledger_account_management: false,
    }
    expect(maskedModels(off, true)).toEqual([
      'accounting_batch',
      'payment_batch',
      'payment_reversal',
      'ledger_field',
      'ledger_account',
      'user',
    ])
    expect(maskedModels({ ...off, accounting_batch_management: true }, false)).toEqual([
      'payment_batch',
      'payment_reversal',
      'ledger_field',
      'ledger_account',
    ])
  })
})
