/** Assigns planted problems to accounts. Pure: the same every day. */
import type { CalendarDate } from '#contract/kernel/date.ts'
import { diceOf } from './dice.ts'
import { planBills } from './plan-bills.ts'
import type { AccountPlan, EstatePlan, PlannedBill } from './plan.ts'
import { auditPlants, linkPlants, statePlants } from './plants.ts'
import type { Planting } from './plant-parts.ts'

export interface PlannedAccount {
  readonly account: AccountPlan
  readonly supply: readonly PlannedBill[]
  readonly planting: Planting
}

/** Returns every account with its bills. Every second problem is with the first client, which most sign-ins see. */
export function planHistories(plan: EstatePlan, today: CalendarDate): PlannedAccount[] {
  const bills = new Map(plan.accounts.map((account) => [account, planBills(account, today)]))
  const plantings = new Map<AccountPlan, Planting>()
  // A new problem at the end changes the place of no other.
  for (const [place, plant] of [...auditPlants, ...statePlants, ...linkPlants].entries()) {
    const fitting = plan.accounts.filter(
      (account) => !plantings.has(account) && canBePlanted(account) && plant.fits(account, bills.get(account)?.own ?? []),
    )
    const ofFirst = fitting.filter((account) => account.client.place === 0)
    const [first, ...others] = place % 2 === 0 && ofFirst.length > 0 ? ofFirst : fitting
    if (!first) throw new Error(`no account fits ${plant.code}`)
    const account = diceOf(`plant ${place} ${plant.code}`).pick([first, ...others])
    const { own = [], supply = [] } = bills.get(account) ?? {}
    plantings.set(account, plant.grow(own, today, supply))
  }
  return plan.accounts.map((account) => {
    const { own = [], supply = [] } = bills.get(account) ?? {}
    const planting = plantings.get(account) ?? { regular: own, planted: [] }
    return { account, supply: planting.supply ?? supply, planting }
  })
}

/** Clients that left or have just come have no history to measure against; the first client's bills are paid here. */
function canBePlanted({ client: { sample } }: AccountPlan): boolean {
  return sample.left === undefined && sample.months >= 24 && sample.subscriptions[1]
}
