/** The columns that a file may contain, with a template and an example to start from. */
import type { ImportKind } from '#contract/kernel/import.ts'
import { importExample, importGuide, importTemplate } from '#contract/kernel/import-guide.ts'
import { Download } from 'lucide-react'
import { saveText } from '../kernel/open-file.ts'
import { Button } from '../ui/button.tsx'
import styles from './imports.module.css'

export function ImportGuide({ kind }: { kind: ImportKind }) {
  return (
    <section aria-label="Guide" className={styles.guide}>
      <h2 className={styles.heading}>Columns of the file</h2>
      <p className={styles.quiet}>
        The first line names the columns, in any order and however they are capitalized.{' '}
        {kind.keyText ??
          `A blank cell leaves what is there as it is; #CLEAR empties it. A row whose ${kind.key.map(wordsOf).join(' and ')} ${kind.key.length > 1 ? 'are' : 'is'} there already changes that record.`}
      </p>
      {kind.notes?.map((note) => (
        <p key={note} className={styles.quiet}>
          {note}
        </p>
      ))}
      <div className={styles.guideTable}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Meaning</th>
              <th scope="col">Allowed</th>
              <th scope="col">Example</th>
            </tr>
          </thead>
          <tbody>
            {importGuide(kind).map((line) => (
              <tr key={line.name}>
                <th scope="row">
                  <span className={styles.column}>{line.name}</span>
                  <span className={styles.mark}>{markOf(line)}</span>
                </th>
                <td>{line.meaning}</td>
                <td>{line.allowed}</td>
                <td className="num">{line.example}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Buttons that download the template and the example. Both are generated from the columns that the server checks files with. */
export function ImportDownloads({ kind }: { kind: ImportKind }) {
  return (
    <>
      <Button onClick={() => saveText(`${kind.name}_template.csv`, importTemplate(kind))}>
        <Download size={14} aria-hidden="true" />
        Template
      </Button>
      <Button onClick={() => saveText(`${kind.name}_example.csv`, importExample(kind))}>
        <Download size={14} aria-hidden="true" />
        Example
      </Button>
    </>
  )
}

function markOf({ required, is_key: isKey }: { required: boolean; is_key: boolean }): string {
  if (isKey) return required ? 'key, required' : 'key'
  return required ? 'required' : ''
}

function wordsOf(column: string): string {
  return column.replaceAll('_', ' ')
}
