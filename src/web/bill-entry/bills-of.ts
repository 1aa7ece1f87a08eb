import type { ChosenAccount } from './chosen-account.ts'

/** Returns the path of an account's bill list. */
export function billsOf(clientId: number, { type, id }: Pick<ChosenAccount, 'type' | 'id'>): string {
  return `/clients/${clientId}/${type === 'SupplyAccount' ? 'supply_accounts' : 'billable_accounts'}/${id}/bills`
}
