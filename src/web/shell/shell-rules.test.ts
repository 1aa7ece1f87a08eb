import { expect, test } from 'vitest'
import type { Access } from '#contract/access/auth.ts'
import { permissionsOfRole } from '#contract/access/rights.ts'
import { firstSectionOf, landingOf } from '../home/landing.ts'
import { scopeOfPath } from '../kernel/scope.ts'
import { pickerPages, pickerTotal } from './client-pager.tsx'
import { placeInSidebar, recordHref, sidebarKinds } from './sidebar-lists.ts'
import { adminMenu, clientMenu, isHere } from './menus.ts'

const all = permissionsOfRole('super_admin')
const flags = {
  user_management: true,
  utility_payment_management: true,
  accounting_batch_management: true,
  ledger_account_management: true,
}
const client = {
  id: 5,
  lock_version: 0,
  name: 'Harbor',
  short_code: 'H',
  identifier: 'H',
  active: true,
  channel_partner_id: null,
  retrieval_provider: null,
  bills_due_on: 'Upon Receipt',
  notes: null,
  file_url: null,
  filename: null,
  batch_groups: [],
  ...flags,
}
const access: Access = {
  permissions: all,
  redirect_client_id: null,
  redirect_to_home: false,
  client_only_user: false,
  roles: [],
  partner_logo_url: null,
}
const labels = (entries: readonly { label: string }[]) => entries.map((entry) => entry.label)
const inside = (entries: readonly { label: string; items?: readonly { label: string }[] }[], label: string) =>
  labels(entries.find((entry) => entry.label === label)?.items ?? [])

test('the admin menu has its entries in the order of the specification [NAV-SCREEN-002] [NAV-SCREEN-003]', () => {
  expect(labels(adminMenu(all))).toEqual([
    'Home',
    'Clients',
    'Users',
    'Channel Partners',
    'Vendors',
    'Utility Services',
    'Global Batch',
    'Settings',
  ])
  expect(inside(adminMenu(all), 'Global Batch')).toEqual(['Batch Bills', 'View File History'])
})

test('what has no entry of its own stands under the section that it belongs to', () => {
  const here = (path: string) => labels(adminMenu(all).filter((entry) => isHere(entry, path)))
  for (const path of [
    '/vendors',
    '/vendors/4/bank_changes',
    '/payment_methods',
    '/payment_methods/new',
    '/vendor_bank_changes',
    '/vendor_bank_changes/7',
  ])
    expect([path, here(path)]).toEqual([path, ['Vendors']])
  expect(here('/settings/units')).toEqual(['Settings'])
  expect(here('/vendor_bank_changes_of_old')).toEqual([])
})

test('the client menu has its entries in the order of the specification [NAV-SCREEN-004] [NAV-SCREEN-005] [NAV-SCREEN-006]', () => {
  const menu = clientMenu(5, client, all)
  expect(labels(menu)).toEqual([
    'Home',
    'Divisions',
    'Facilities',
    'Billable Accounts',
    'Supply Accounts',
    'Group Billing Accounts',
    'Bills',
    'Financials',
    'Reporting',
    'Alerts',
  ])
  expect(inside(menu, 'Group Billing Accounts')).toEqual(['Group Billing Accounts', 'Group Billing Supply Accounts'])
  expect(inside(menu, 'Financials')).toEqual(['Client Batches', 'Vendor Batches', 'Ledger Fields', 'Ledger Accounts'])
})

test.each([
  ['accounting_batch_management', ['Client Batches']],
  ['utility_payment_management', ['Vendor Batches']],
  ['ledger_account_management', ['Ledger Fields', 'Ledger Accounts']],
] as const)('Financials shows what %s brings, and only that [PERM-PERM-010] [PERM-PERM-011] [PERM-PERM-012]', (flag, expected) => {
  const none = { utility_payment_management: false, accounting_batch_management: false, ledger_account_management: false }
  expect(inside(clientMenu(5, { ...client, ...none, [flag]: true }, all), 'Financials')).toEqual(expected)
})

test('without any of the three flags there is no Financials menu [PERM-PERM-009]', () => {
  const none = { utility_payment_management: false, accounting_batch_management: false, ledger_account_management: false }
  expect(labels(clientMenu(5, { ...client, ...none }, all))).not.toContain('Financials')
})

test('an entry shows only with its right, a group with any of them [PERM-PERM-002] [PERM-PERM-003]', () => {
  expect(labels(clientMenu(5, client, { supply_account: ['read'] }))).toEqual([
    'Home',
    'Supply Accounts',
    'Group Billing Accounts',
    'Alerts',
  ])
  expect(labels(clientMenu(5, client, { supply_account: ['update'] }))).toEqual(['Home'])
})

test('landing: home first, then the client of a client-only person, then the first right in order [NAV-TRANS-001] [NAV-TRANS-002] [NAV-TRANS-003] [NAV-TRANS-004]', () => {
  expect(landingOf({ ...access, redirect_to_home: true, client_only_user: true, redirect_client_id: 5 })).toEqual({ kind: 'home' })
  expect(landingOf({ ...access, client_only_user: true, redirect_client_id: 5 })).toEqual({ kind: 'go', href: '/clients/5/dashboard' })
  expect(landingOf(access)).toEqual({ kind: 'go', href: '/clients' })
  expect(landingOf({ ...access, permissions: { supply_account: ['read'], facility: ['read'] } })).toEqual({
    kind: 'go',
    href: '/facilities',
  })
  expect(landingOf({ ...access, permissions: {} })).toEqual({ kind: 'go', href: '/landing' })
})

test('a client-only person opens the first section that they may read [SHELL-SCREEN-009]', () => {
  expect(firstSectionOf(5, { billable_account: ['read'], supply_account: ['read'] })).toBe('/clients/5/billable_accounts')
})

test('the client edit page and the client vendor number pages leave the scope alone [SHELL-TRANS-004]', () => {
  expect(scopeOfPath('/clients/5/dashboard')).toBe(5)
  expect(scopeOfPath('/clients/5')).toBe(5)
  for (const path of [
    '/clients/5/edit',
    '/clients/5/client_vendor_numbers',
    '/clients/5/client_vendor_numbers/3/edit',
    '/clients',
    '/clients/new',
    '/vendors/5/edit',
  ])
    expect(scopeOfPath(path)).toBeNull()
})

test.each([
  [20, 10, 1],
  [21, 11, 2],
  [40, 20, 2],
  [41, 21, 3],
  [0, 0, 0],
])('of %i clients the pager counts %i, on %i pages of twenty [SHELL-CONST-002]', (total, counted, pages) => {
  expect([pickerTotal(total), pickerPages(total)]).toEqual([counted, pages])
  expect(pages).toBe(Math.ceil(total / 20))
})

test('the sidebar filters accounts by number and everything else by name [NAV-SCREEN-012] [NAV-SCREEN-013]', () => {
  const by = Object.fromEntries(sidebarKinds.map((kind) => [kind.plural, kind.by]))
  expect(by).toEqual({
    divisions: 'name',
    facilities: 'name',
    ledger_fields: 'name',
    ledger_accounts: 'name',
    billable_accounts: 'account_number',
    supply_accounts: 'account_number',
    group_accounts: 'account_number',
    group_supply_accounts: 'account_number',
  })
})

test('choosing another record stays on the same page where it has one', () => {
  const [divisions] = sidebarKinds
  expect(placeInSidebar('/clients/5/divisions/9/documents')).toEqual({ plural: 'divisions', id: 9, page: 'documents' })
  expect(placeInSidebar('/clients/5/bills/9/edit')).toBeNull()
  if (!divisions) throw new Error('no divisions')
  expect(recordHref(divisions, 5, 10, 'documents')).toBe('/clients/5/divisions/10/documents')
  expect(recordHref(divisions, 5, 10, null)).toBe('/clients/5/divisions/10/dashboard')
})
