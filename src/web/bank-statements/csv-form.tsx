/** Which column of a CSV file holds what, and the balances that the file does not say. */
import { useState } from 'react'
import type { bankStatementCalls } from '#contract/bank-statements/bank-statement.ts'
import { csvColumns, guessMapping, type CsvMapping } from '#contract/bank-statements/csv-mapping.ts'
import type { ReplyOf } from '#contract/kernel/call.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { MoneyField } from '../ui/fields/number-field.tsx'
import styles from './bank-statements.module.css'

interface Typed {
  readonly mapping: CsvMapping | null
  readonly opening: string | null
  readonly closing: string | null
}

interface CsvFormProps {
  readonly sent: Typed
  readonly plan: ReplyOf<typeof bankStatementCalls.preview>
  readonly busy: boolean
  readonly onChange: (typed: Typed) => void
}

export function CsvForm({ sent, plan: { headings, mapping: read, opening_is_known }, busy, onChange }: CsvFormProps) {
  const [mapping, setMapping] = useState<CsvMapping>(() => sent.mapping ?? read ?? guessMapping(headings))
  const [opening, setOpening] = useState(sent.opening ?? '')
  const [closing, setClosing] = useState(sent.closing ?? '')
  const balance = (typed: string) => (typed === '' ? null : typed)
  return (
    <>
      <div className={styles.fields} role="group" aria-label="Columns of the file">
        {csvColumns.map(({ value, label }) => (
          <SelectField
            key={value}
            label={label}
            emptyLabel="Not in the file"
            value={mapping[value] ?? ''}
            options={[...new Set(headings)].map((heading) => ({ value: heading, label: heading }))}
            onChange={(heading) => setMapping((before) => ({ ...before, [value]: heading === '' ? null : heading }))}
          />
        ))}
        <MoneyField
          label="Opening Balance"
          hint={opening_is_known ? 'Empty for the closing balance of the statement before.' : 'From the paper of the bank.'}
          value={opening}
          onChange={setOpening}
        />
        <MoneyField label="Closing Balance" hint="Empty if the file has a column of balances." value={closing} onChange={setClosing} />
      </div>
      <div className={styles.acts}>
        <Button busy={busy} onClick={() => onChange({ mapping, opening: balance(opening), closing: balance(closing) })}>
          Use These Columns
        </Button>
      </div>
    </>
  )
}
