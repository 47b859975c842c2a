import { spawnSync } from "node:child_process";

/** Runs a program in a folder, its output shown; its failure is ours. */
export function run(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (error) throw new Error(`${program} is needed and did not start: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
