import { expect, test } from 'vitest'
import { auditItemTypes } from '#contract/audit-log/audit-item-types.ts'
import { pageRoutes, redirects, sameAddress } from '../routes.ts'
import { recordHref } from './record-href.ts'

/** Kinds whose address needs more than their id. */
const without: Readonly<Record<string, string>> = {
  service: 'its form lies under its account, which the version need not name',
  vendor_payment: 'its form lies under its vendor batch, which the version need not name',
  payment_reversal: 'it stands under its vendor payment, whose batch the version need not name',
  user_role: 'its form lies under its person, which the version need not name',
  session: 'a sign-in is no record that can be opened',
  upload: 'a file that was refused is gone',
}

test('each kind of item in the audit log leads to a page that there is, or is named here with the reason', () => {
  for (const item_type of auditItemTypes) {
    const [inClient, outside] = [5, 0].map((client_id) => recordHref({ item_type, item_id: 7, client_id }))
    const href = inClient ?? outside
    expect(href === undefined, item_type).toBe(item_type in without)
    if (href === undefined) continue
    const path = href
      .replace(/\?.*$/, '')
      .replace('/clients/5/', '/clients/:client_id/')
      .replace(/\/7(?=\/|$)/, '/:id')
    const exists = pageRoutes.some((page) => sameAddress(page.path, path)) || redirects.some(({ from }) => sameAddress(from, path))
    expect(exists, `${item_type}: ${path}`).toBe(true)
  }
})
