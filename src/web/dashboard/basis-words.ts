/** The texts of the page about its basis. */
import type { DashboardBasis } from '#contract/dashboard/basis.ts'

interface BasisWords {
  /** A sentence that explains which bills a month counts. */
  readonly month: string
  /** A sentence that explains which months a change compares. */
  readonly compared: string
  /** The help beside the sentence. */
  readonly help: readonly string[]
}

const noCost = 'A balance forward is no cost.'
const whole = {
  compared: 'Changes are over the meters and months that both periods bill.',
  counted:
    '“Billed” says how many of the days that the meters are in use the bills of the period cover. These days may lie before the period. A month is never partial, because a bill counts in it whole.',
  change:
    'A change compares the meters that have bills in the same month of both periods. Where one month bills more days than the other, its amounts are reduced to as many days.',
}

export const basisWords: Readonly<Record<DashboardBasis, BasisWords>> = {
  calendarized: {
    month: 'Months are calendarized: each bill is spread over the days that it covers.',
    compared: 'Changes are over the meters and days that both periods cover.',
    help: [
      'Each line of a bill is spread evenly over the days that it covers. A month holds the days that fall into it, whenever the bill was dated or paid.',
      'A bill of $320.00 from 09/12 to 10/14 covers 32 days: $190.00 of it count in September and $130.00 in October.',
      'What covers no day, such as a bill without a meter, counts in the month of the bill’s date.',
      `The months of a bill add up to its cost. ${noCost}`,
    ],
  },
  billed: {
    month: 'Billed by bill date: each bill counts whole in the month of its date.',
    compared: whole.compared,
    help: [
      'A bill of $320.00 from 09/12 to 10/14 that is dated 10/20 counts in October: all of its cost and all of its usage.',
      whole.counted,
      whole.change,
      `A void bill counts in no month; the bill that replaced it counts in the month of its own date. ${noCost}`,
    ],
  },
  fiscal: {
    month: 'Billed by fiscal month: each bill counts whole in its fiscal month, or else in the month of its date.',
    compared: whole.compared,
    help: [
      'A bill of $320.00 that is dated 10/20 and has the fiscal month 09/2026 counts in September: all of its cost and all of its usage. A line of a bill that has a fiscal month of its own counts in that one.',
      whole.counted,
      whole.change,
      `A void bill counts in no month. ${noCost}`,
    ],
  },
}
