import type { Subaccount } from '#contract/accounts/subaccount.ts'
import { StatusDot } from '../ui/status.tsx'

/** Returns why an account cannot be a subaccount of this group account; undefined if it can, even if inactive. */
export function standingOf(account: Subaccount, groupId: number): string | undefined {
  if (account.is_group_account) return 'It is a group account itself'
  if (!account.grouped || account.group_id === groupId) return undefined
  return `It is a subaccount of ${account.group_name ?? 'another group account'}`
}

/** Shows whether the account is active, and which group contains it. */
export function StandingOf({ account, groupId }: { account: Subaccount; groupId: number }) {
  if (account.is_group_account) return <StatusDot tone="violet">Group account</StatusDot>
  if (account.grouped && account.group_id !== groupId) return `In ${account.group_name ?? 'another group'}`
  return <StatusDot tone={account.active ? 'ok' : 'grey'}>{account.active ? 'Active' : 'Inactive'}</StatusDot>
}
