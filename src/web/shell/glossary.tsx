import { useState } from 'react'
import { Modal } from '../ui/dialogs/modal.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { glossaryTerms } from './glossary-terms.ts'
import styles from './glossary.module.css'

/** The words of the field with their meanings, found by a part of the word or of its meaning. */
export function Glossary({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = glossaryTerms.filter(({ term, meaning }) => `${term} ${meaning}`.toLowerCase().includes(wanted))
  return (
    <Modal open onClose={onClose} title="Glossary" width={640}>
      <TextField label="Find a word" autoFocus value={text} onChange={setText} />
      <dl className={styles.terms}>
        {found.map(({ term, meaning }) => (
          <div key={term} className={styles.term}>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      {found.length === 0 && (
        <p role="status" className={styles.none}>
          No word matches “{text.trim()}”.
        </p>
      )}
    </Modal>
  )
}
