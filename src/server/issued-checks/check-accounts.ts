/** The accounts on which checks are drawn: of the payer's own bank profile, or of the provider's. */
import { accountDigits, lastFour } from '#contract/payment-files/file-text.ts'
import { profileOfPayer } from '#contract/payment-files/payment-files.ts'
import type { ProfileForFile } from '#contract/payment-files/payment-file.ts'
import { readProfiles } from '../global-batches/global-batches.ts'
import type { Context } from '../kernel/context.ts'
import { fingerprintOf } from '../kernel/secret.ts'

export interface CheckAccount {
  /** Hexadecimal. The same for all profiles of one account. */
  readonly fingerprint: string
  readonly last4: string
}

/** Null if the profile has no account number. */
export function accountOf({ machinery }: Context, { routing_number, account_number }: ProfileForFile): CheckAccount | null {
  const digits = accountDigits(account_number ?? '')
  if (digits === '') return null
  const named = `${routing_number ?? ''} ${digits}`
  return {
    fingerprint: fingerprintOf(machinery.settings.secretKey, 'check_account', named).toString('hex'),
    last4: lastFour(digits) ?? '',
  }
}

/** Returns the account that pays for each of these clients. A client is missing if no profile pays, or the profile has no account number. */
export async function payingAccounts(context: Context, clients: readonly number[]): Promise<ReadonlyMap<number, CheckAccount>> {
  const wanted = [...new Set(clients)]
  const profiles = await readProfiles(context, wanted)
  return new Map(
    wanted.flatMap((client): [number, CheckAccount][] => {
      const profile = profileOfPayer(client, profiles)
      const account = profile === null ? null : accountOf(context, profile)
      return account === null ? [] : [[client, account]]
    }),
  )
}
