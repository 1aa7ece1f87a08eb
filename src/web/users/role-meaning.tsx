import { providerRoles, type RoleName } from '#contract/access/rights.ts'
import { Missing } from '../ui/status.tsx'
import { areas, narrowingNote, reachSentence, rightsOf, rightsSentence, verbs, type RoleScopeWords } from './role-words.ts'
import styles from './users.module.css'

export interface RoleMeaningProps {
  readonly role: RoleName
  readonly scope: RoleScopeWords
}

/** The rights and the reach of a role in one sentence, with the full table of rights in a disclosure. */
export function RoleMeaning({ role, scope }: RoleMeaningProps) {
  const note = narrowingNote(role, scope)
  const reachesAll = providerRoles.includes(role) && scope.clients.length === 0
  return (
    <div className={styles.meaning}>
      <p>
        <span className={styles.reach}>{reachSentence(role, scope)}</span> {rightsSentence(role, scope)}
      </p>
      {note && <p>{note}</p>}
      {reachesAll && <p className={styles.wide}>Every client, also those that are still to come.</p>}
      <details className={styles.rights}>
        <summary>All rights of this role</summary>
        <Matrix role={role} scope={scope} />
      </details>
    </div>
  )
}

/** The rights by area and verb. Read-only, because the rights of a role are fixed by the product. */
function Matrix({ role, scope }: RoleMeaningProps) {
  const held = rightsOf(role, scope)
  return (
    <>
      <table className={styles.matrix}>
        <thead>
          <tr>
            <th scope="col">Area</th>
            {verbs.map(({ action, word }) => (
              <th key={action} scope="col" className={styles.cell}>
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {areas.map(({ label, models }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {verbs.map(({ action }) => (
                <td key={action} className={styles.cell}>
                  {models.every((model) => held.get(model)?.includes(action)) ? (
                    <span className={styles.held}>
                      <span aria-hidden="true">✓</span>
                      <span className="sr-only">yes</span>
                    </span>
                  ) : (
                    <Missing word="no" />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>The subscriptions of a client can switch off users, batches and ledgers for its own people.</p>
    </>
  )
}
