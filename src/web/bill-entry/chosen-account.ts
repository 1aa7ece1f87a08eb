import type { AccountType } from '#contract/bills/bill.ts'

export interface ChosenAccount {
  readonly type: AccountType
  readonly id: number
  readonly label: string
}

export interface AccountSearchProps {
  readonly clientId: number
  readonly chosen: ChosenAccount | null
  readonly onChoose: (account: ChosenAccount | null) => void
  readonly autoFocus?: boolean
}
