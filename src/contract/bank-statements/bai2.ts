/**
 * Reads a statement file in the format BAI2. The file counts and sums itself: by account (49), by group (98) and as a whole (99). Where one of
 * these does not agree with its records, the file was cut or changed on its way, and nothing of it is believed.
 */
import { plainCheckNumber } from '../issued-checks/issued-check.ts'
import { formatDate, type CalendarDate } from '../kernel/date.ts'
import type { Cents } from '../kernel/money.ts'
import { codeWords, directionOf, isCheckCode } from './bai2-codes.ts'
import { bai2Records, fundsFields, isDollar, shortDay, type Bai2Record } from './bai2-records.ts'
import {
  amountDigitsMax,
  faultsMax,
  plainText,
  statementLinesMax,
  sumFault,
  type ReadAnswer,
  type ReadLine,
  type ReadStatement,
} from './read-statement.ts'

/** @returns the statements, one for each account and day, or sentences that name the line, the field and what is wrong with it. */
export function readBai2(text: string): ReadAnswer {
  const { records, faults } = bai2Records(text)
  if (records[0]?.code !== '01') return { faults: ['This is no BAI2 file: its first record must be 01.'] }
  const reading = new Reading(faults)
  for (const record of records) reading.take(record)
  reading.end()
  if (reading.faults.length > 0) return { faults: reading.faults.slice(0, faultsMax) }
  return { statements: reading.statements, faults: [] }
}

/** A total has at most so many digits. The sum of the amounts is exact, so a total that is not exact as a number differs from it. */
const totalDigitsMax = 16

interface Total {
  /** The sum of all amounts as written, in cents. */
  sum: number
  records: number
  /** The number of accounts of a group, or of groups of a file. */
  parts: number
}
const nothing = (): Total => ({ sum: 0, records: 0, parts: 0 })

interface OpenAccount {
  readonly record: Bai2Record
  readonly day: CalendarDate
  readonly account: string
  readonly opening: Cents | null
  readonly closing: Cents | null
  readonly lines: ReadLine[]
}

/** Walks the records in their order, and sums what they hold. */
class Reading {
  readonly faults: string[]
  readonly statements: ReadStatement[] = []
  private readonly ofFile = nothing()
  private ofGroup: Total | null = null
  private ofAccount = nothing()
  private fileDay: CalendarDate = ''
  private day: CalendarDate = ''
  private account: OpenAccount | null = null
  private isEnded = false
  private lineCount = 0

  constructor(faults: readonly string[]) {
    this.faults = [...faults]
  }

  take(record: Bai2Record): void {
    if (this.isEnded) return this.fault(record, 'a record after the end of the file.')
    this.ofFile.records += record.count
    if (this.ofGroup !== null || record.code === '02') this.countInGroup(record)
    if (record.code === '01') this.openFile(record)
    else if (record.code === '02') this.openGroup(record)
    else if (record.code === '03') this.openAccount(record)
    else if (record.code === '16') this.takeLine(record)
    else if (record.code === '49') this.closeAccount(record)
    else if (record.code === '98') this.closeGroup(record)
    else this.closeFile(record)
  }

  end(): void {
    if (this.faults.length > 0) return
    if (!this.isEnded) this.faults.push('The file has no end: its record 99 is missing.')
    else if (this.statements.length === 0) this.faults.push('The file holds no account.')
  }

  private fault({ line }: Bai2Record, sentence: string): void {
    this.faults.push(`Line ${line}: ${sentence}`)
  }

  private countInGroup({ code, count }: Bai2Record): void {
    if (code === '02') this.ofGroup = nothing()
    if (this.ofGroup !== null && code !== '99') this.ofGroup.records += count
    if (code === '03') this.ofAccount = nothing()
    this.ofAccount.records += count
  }

  private openFile(record: Bai2Record): void {
    if (this.ofFile.records > record.count) return this.fault(record, 'the file begins a second time.')
    const [, , day = ''] = record.fields
    const found = shortDay(day)
    if (found === null) this.fault(record, `File Creation Date: “${day}” is no date.`)
    this.fileDay = found ?? ''
  }

  private openGroup(record: Bai2Record): void {
    const [, , status = '', day = '', , currency = ''] = record.fields
    if (this.account !== null) this.fault(record, 'a group begins before the account above it ends.')
    if (status !== '1') this.fault(record, `Group Status: ${status || 'nothing'} is no update (1).`)
    if (!isDollar(currency)) this.fault(record, `Currency: ${currency} is not USD.`)
    const found = shortDay(day)
    if (found === null) this.fault(record, `As-of Date: “${day}” is no date.`)
    else if (found > this.fileDay) this.fault(record, `As-of Date: ${formatDate(found)} lies after the day of the file.`)
    this.day = found ?? ''
  }

  private openAccount(record: Bai2Record): void {
    const [account = '', currency = '', ...summary] = record.fields
    if (this.ofGroup === null) return this.fault(record, 'an account outside a group.')
    if (this.account !== null) this.fault(record, 'an account begins before the one above it ends.')
    if (account.trim() === '') this.fault(record, 'Account Number: it is missing.')
    if (!isDollar(currency)) this.fault(record, `Currency: ${currency} is not USD.`)
    const balances = this.balancesIn(record, summary)
    const [opening = null, closing = null] = [balances.get('010'), balances.get('015')]
    if (opening === null) this.fault(record, 'Opening Ledger (010): it is missing.')
    if (closing === null) this.fault(record, 'Closing Ledger (015): it is missing.')
    this.ofGroup.parts += 1
    this.account = { record, day: this.day, account: account.trim(), opening, closing, lines: [] }
  }

  /** Balances repeat four fields: type code, amount, item count and funds type. */
  private balancesIn(record: Bai2Record, summary: readonly string[]): Map<string, Cents> {
    const balances = new Map<string, Cents>()
    for (let at = 0; at < summary.length;) {
      const [code = '', amount = '', , funds = ''] = summary.slice(at, at + 4)
      const further = fundsFields(funds, summary[at + 4])
      if (further === null || !/^(\d{3})?$/.test(code)) {
        this.fault(record, further === null ? `Funds Type: “${funds}” is none.` : `Type Code: “${code}” has not three digits.`)
        return balances
      }
      at += 4 + further
      if (code === '') continue
      const cents = amount === '' ? null : this.signedCents(record, amount)
      if (cents === null) continue
      this.ofAccount.sum += cents
      if (balances.has(code)) this.fault(record, `Type Code: ${code} stands there twice.`)
      balances.set(code, cents)
    }
    return balances
  }

  private takeLine(record: Bai2Record): void {
    const [code = '', amount = '', funds = '', ...rest] = record.fields
    if (this.account === null) return this.fault(record, 'a transaction outside an account.')
    const direction = /^\d{3}$/.test(code) ? directionOf(code) : null
    if (direction === null) return this.fault(record, `Type Code: “${code}” is no code of a transaction.`)
    if ((this.lineCount += 1) === statementLinesMax + 1)
      this.fault(record, `the file has more than ${statementLinesMax.toLocaleString('en-US')} transactions.`)
    const cents = direction === 0 && amount === '' ? 0 : this.plainCents(record, amount)
    if (cents === null) return
    this.ofAccount.sum += cents
    const further = fundsFields(funds, rest[0])
    if (further === null) return this.fault(record, `Funds Type: “${funds}” is none.`)
    const [bank = '', customer = '', ...text] = rest.slice(further)
    const isCheck = isCheckCode(code)
    const number = isCheck ? (plainCheckNumber(customer) ?? plainCheckNumber(bank)) : null
    this.account.lines.push({
      line: record.line,
      day: this.account.day,
      amount: direction === 0 || cents === 0 ? 0 : direction * cents,
      code,
      description: plainText(text.join(',')) || codeWords(code),
      check_number: number,
      reference: plainText(`${customer} ${bank}`),
    })
  }

  private closeAccount(record: Bai2Record): void {
    const { account } = this
    if (account === null) return this.fault(record, 'the end of an account that has not begun.')
    this.account = null
    this.compare(record, 'the account', this.ofAccount, { counted: record.fields[1] })
    if (this.ofGroup !== null) this.ofGroup.sum += this.ofAccount.sum
    if (account.opening === null || account.closing === null) return
    const statement = { opening: account.opening, closing: account.closing, lines: account.lines }
    const off = sumFault(statement)
    if (off !== null) return this.fault(account.record, `the statement of account …${account.account.slice(-4)} does not add up. ${off}`)
    if (this.statements.some((one) => one.account === account.account && one.to_day === account.day))
      return this.fault(account.record, `account …${account.account.slice(-4)} has two statements of ${formatDate(account.day)}.`)
    this.statements.push({ account: account.account, from_day: account.day, to_day: account.day, ...statement })
  }

  private closeGroup(record: Bai2Record): void {
    if (this.ofGroup === null) return this.fault(record, 'the end of a group that has not begun.')
    if (this.account !== null) this.fault(record, 'the group ends before its account does.')
    this.compare(record, 'the group', this.ofGroup, { parts: record.fields[1], what: 'accounts', counted: record.fields[2] })
    this.ofFile.sum += this.ofGroup.sum
    this.ofFile.parts += 1
    this.ofGroup = null
  }

  private closeFile(record: Bai2Record): void {
    if (this.ofGroup !== null) this.fault(record, 'the file ends before its group does.')
    this.compare(record, 'the file', this.ofFile, { parts: record.fields[1], what: 'groups', counted: record.fields[2] })
    this.isEnded = true
  }

  /** Compares what a trailer says with what was read. Earlier faults would only be repeated here. */
  private compare(
    record: Bai2Record,
    whole: string,
    { sum, records, parts }: Total,
    said: { readonly parts?: string | undefined; readonly what?: string; readonly counted: string | undefined },
  ): void {
    if (this.faults.length > 0) return
    const total = this.signedCents(record, record.fields[0] ?? '', totalDigitsMax)
    if (total === null) return
    if (total !== sum) this.fault(record, `Control Total: ${whole} says ${total}, and its amounts come to ${sum}.`)
    else if (said.what !== undefined && said.parts !== String(parts))
      this.fault(record, `Number of ${said.what}: ${whole} says ${said.parts || 'nothing'}, and holds ${parts}.`)
    else if (said.counted !== String(records))
      this.fault(record, `Number of Records: ${whole} says ${said.counted || 'nothing'}, and holds ${records}.`)
  }

  private signedCents(record: Bai2Record, text: string, digitsMax = amountDigitsMax): number | null {
    const sign = /^[+-]/.exec(text)?.[0] ?? ''
    const cents = this.plainCents(record, text.slice(sign.length), digitsMax)
    return cents === null || sign !== '-' || cents === 0 ? cents : -cents
  }

  private plainCents(record: Bai2Record, text: string, digitsMax = amountDigitsMax): number | null {
    if (/^\d+$/.test(text) && text.replace(/^0+/, '').length <= digitsMax) return Number(text)
    this.fault(record, `Amount: “${text.slice(0, 40)}” is no number of cents.`)
    return null
  }
}
