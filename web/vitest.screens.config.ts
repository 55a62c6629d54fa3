import { defineConfig } from 'vitest/config'
import { resolve, screenTests, shared } from './vitest.config.ts'

export default defineConfig({
  resolve,
  test: { ...shared, name: 'web-screens', include: screenTests },
})
