import { formatMoney } from '#contract/kernel/money.ts'

/** Says that another amount is due by now than the user was shown; undefined if it is the same, or nothing was shown. */
export function dueNowText(shown: string | undefined, due: string): string | undefined {
  return shown === undefined || shown === due ? undefined : `Amount due is now ${formatMoney(due)}`
}
