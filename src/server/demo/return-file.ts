/** A file in which a bank sends payments back, in records of 94 characters that count themselves. */

export interface SentBack {
  readonly trace_number: string
  readonly cents: number
  readonly receiver: string
}

const WIDTH = 94
/** The account is not there. */
const CODE = 'R03'

export function demoReturnFile(bank: string, entries: readonly SentBack[]): string {
  const odfi = bank.slice(0, 8)
  const body = entries.flatMap(({ trace_number, cents, receiver }, at) => {
    const trace = odfi + String(at + 1).padStart(7, '0')
    const name = receiver.toUpperCase().slice(0, 22).padEnd(22)
    return [
      `621${bank}${'1234567890'.padEnd(17)}${String(cents).padStart(10, '0')}${''.padEnd(15)}${name}  1${trace}`,
      `799${CODE}${trace_number}      ${odfi}${''.padEnd(44)}${trace}`,
    ]
  })
  const count = String(body.length)
  const cents = String(entries.reduce((sum, entry) => sum + entry.cents, 0)).padStart(12, '0')
  const none = '0'.repeat(12)
  const lines = [
    `101 ${bank} ${bank}2601010900A094101${'METERBOOK DEMO'.padEnd(23)}${'BANK'.padEnd(23)}`,
    `5200${'PAYER'.padEnd(36)}9000123456CCDUTIL PYMT `.padEnd(79) + `${odfi}0000001`,
    ...body,
    `8200${count.padStart(6, '0')}0000000000${none}${cents}9000123456`.padEnd(79) + `${odfi}0000001`,
    `9000001000001${count.padStart(8, '0')}0000000000${none}${cents}`,
  ]
  return lines.map((line) => `${line.padEnd(WIDTH).slice(0, WIDTH)}\n`).join('')
}
