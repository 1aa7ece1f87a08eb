/** One section of the home page: its count, its first rows, and the button that walks through all of them. */
import { formatMoney } from '#contract/kernel/money.ts'
import { usePath } from '../kernel/navigation.tsx'
import { startWalk } from '../kernel/walk.ts'
import { ButtonLink } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import type { WorkRow } from './work-rows.tsx'
import type { WorkSection } from './work-sections.ts'
import styles from './home.module.css'

/** Rows that are shown; the walk goes through all that were read. */
const ROWS_SHOWN = 5

type SectionProps = { section: WorkSection; withClient: boolean; first: boolean }

export function SectionTable({ section, withClient, first }: SectionProps) {
  const { key, title, count, sum, rows, all } = section
  const begin = useBegin(section)
  const [next] = rows
  return (
    <section aria-labelledby={`${key}-title`} id={`work-${key}`} className={styles.section}>
      <div className={styles.bar}>
        <h2 id={`${key}-title`}>{title}</h2>
        {next && <span className="num">{`${count} · ${sum}`}</span>}
        {all && <UiLink href={all.href}>{all.label}</UiLink>}
        {next && (
          <span className={styles.next}>
            <ButtonLink
              kind={first ? 'primary' : 'default'}
              href={next.act.href}
              title={first ? 'Key N' : undefined}
              onClick={() => begin(next)}
            >
              {`Next: ${next.act.label} · ${next.where.label}`}
            </ButtonLink>
          </span>
        )}
      </div>
      {next ? <Rows section={section} withClient={withClient} /> : <p className={styles.empty}>{section.empty}</p>}
    </section>
  )
}

/** Begins the walk at a row. The link itself opens its page. */
export function useBegin({ title, rows }: Pick<WorkSection, 'title' | 'rows'>): (row: WorkRow) => void {
  const path = usePath()
  // With a client in scope `/` leads on to its dashboard; the same list stands at `/landing`, whatever the scope.
  const from = path === '/' ? '/landing' : path
  return (row) => startWalk({ title, from, items: rows.map(({ act, where }) => ({ href: act.href, label: where.label })) }, row.act.href)
}

function Rows({ section, withClient }: { section: WorkSection; withClient: boolean }) {
  const { title, rows, sinceLabel } = section
  const shown = rows.slice(0, ROWS_SHOWN)
  const begin = useBegin(section)
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className="sr-only">{`${title}: the first ${shown.length}`}</caption>
        <thead>
          <tr>
            <th scope="col" className={styles.what}>
              What
            </th>
            {withClient && (
              <th scope="col" className={styles.client}>
                Client
              </th>
            )}
            <th scope="col" className={styles.where}>
              Where
            </th>
            <th scope="col">Why</th>
            <th scope="col" className={styles.figure}>
              Amount
            </th>
            <th scope="col" className={styles.figure}>
              {sinceLabel}
            </th>
            <th scope="col" className={styles.act}>
              What to do
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Row key={row.key} row={row} withClient={withClient} onBegin={() => begin(row)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ row, withClient, onBegin }: { row: WorkRow; withClient: boolean; onBegin: () => void }) {
  const { what, client, where, under, why, amount, since, act } = row
  return (
    <tr>
      <td className={styles.what}>{what}</td>
      {withClient && (
        <td className={styles.client} title={client}>
          {client}
        </td>
      )}
      <th scope="row" className={styles.where}>
        {where.href === undefined ? where.label : <UiLink href={where.href}>{where.label}</UiLink>}
        {under !== '' && (
          <span className={styles.under} title={under}>
            {under}
          </span>
        )}
      </th>
      <td className={styles.why} title={why}>
        {why}
      </td>
      <td className={`${styles.figure} ${styles.amount} num`}>{amount === null ? '' : formatMoney(amount)}</td>
      <td className={`${styles.figure} ${styles.since} num`}>{since}</td>
      <td className={styles.act}>
        <UiLink href={act.href} onClick={onBegin}>
          {act.label}
        </UiLink>
      </td>
    </tr>
  )
}
