import type { ReactNode } from 'react'
import styles from './login.module.css'

export type SignInPageProps = { title: string; intro?: string | undefined; children: ReactNode; foot?: ReactNode }

/** The layout of the pages for visitors: product name, title and a narrow form. */
export function SignInPage({ title, intro, children, foot }: SignInPageProps) {
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <p className={styles.name}>
          <Mark />
          Meterbook
        </p>
        <h1>{title}</h1>
        {intro && <p className={styles.intro}>{intro}</p>}
        {children}
        {foot && <p className={styles.foot}>{foot}</p>}
      </div>
    </main>
  )
}

function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true" className={styles.mark}>
      <rect width="32" height="32" rx="7" />
      <path d="M8 23V9h2.6l5.4 8 5.4-8H24v14h-3v-9l-5 7.3L11 14v9z" />
    </svg>
  )
}
