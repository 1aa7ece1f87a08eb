/** Files as a bank sends them back: returns and notices of change, in records of 94 characters that count themselves. */

export interface SentBack {
  /** R03, or C01 with what it corrects. */
  readonly code: string
  /** The trace number of the payment. */
  readonly original: string
  readonly cents?: number
  readonly corrected?: string
  readonly remark?: string
}

/** Code, bank and account of the receiver. */
const ofReceiver = ['6', '21', '02100002', '1', '12345678901234567'].join('')

/** One batch of these entries, with the control records of the file. `day` is YYMMDD. */
export function returnFile(entries: readonly SentBack[], { day = '261125', end = '\n' } = {}): string {
  const body = entries.flatMap(({ code, original, cents = 0, corrected = '', remark = '' }, at) => {
    const trace = `09100001${String(at + 1).padStart(7, '0')}`
    const isNotice = code.startsWith('C')
    return [
      `${ofReceiver}${String(cents).padStart(10, '0')}${''.padEnd(15)}${'WIRE AND WATER'.padEnd(22)}  1${trace}`,
      `7${isNotice ? '98' : '99'}${code}${original}      02100002${(isNotice ? corrected : remark).padEnd(44)}${trace}`,
    ]
  })
  const count = String(body.length)
  const cents = String(entries.reduce((sum, entry) => sum + (entry.cents ?? 0), 0))
  const lines = [
    `101 0210000211234567890${day}1000A094101${'METERBOOK'.padEnd(23)}${'FIRST BANK'.padEnd(23)}`,
    `5200${'PAYER'.padEnd(36)}1234567890CCDUTIL PYMT `.padEnd(79) + '1091000010000001',
    ...body,
    `8200${count.padStart(6, '0')}0000000000${'0'.padStart(12, '0')}${cents.padStart(12, '0')}1234567890`.padEnd(79) + '091000010000001',
    `9000001000001${count.padStart(8, '0')}0000000000${'0'.padStart(12, '0')}${cents.padStart(12, '0')}`,
  ]
  return lines.map((line) => line.padEnd(94).slice(0, 94) + end).join('')
}
