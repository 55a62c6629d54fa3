import styles from './proposals.module.css'

/** A proposal as the client reads it. No script runs in it, and no form; the same origin gives it its style sheet. */
export const ProposalFrame = ({ html, title }: { html: string; title: string }) => (
  <iframe title={title} sandbox="allow-same-origin" srcDoc={html} className={styles.frame} />
)
