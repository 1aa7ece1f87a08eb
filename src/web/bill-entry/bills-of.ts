import type { ChosenAccount } from './chosen-account.ts'

/** The list of an account's bills. */
export function billsOf(clientId: number, { type, id }: Pick<ChosenAccount, 'type' | 'id'>): string {
  return `/clients/${clientId}/${type === 'SupplyAccount' ? 'supply_accounts' : 'billable_accounts'}/${id}/bills`
}
