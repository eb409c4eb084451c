import { foldedName } from "../../../fs/git-name.ts";
import type { OutgoingTrigger } from "../../../protocol/index.ts";
import type { Finding } from "./finding.ts";
import { unpackedPaths } from "./unpacked-name.ts";

interface Row {
  /** The last segments of a path, folded: `*` is anything but a slash, a last `**` anything. */
  readonly names: readonly string[];
  readonly when: OutgoingTrigger;
  /** Who runs it, for the sentence that says so. */
  readonly program: string;
  /** It runs only when the user gives a command that is known to run it; left out: it is held back. */
  readonly listed?: true;
}

/** cmd.exe looks for a program where the user is before it looks where programs are. */
const inPlaceOfPrograms: readonly string[] = [
  "git.js",
  ...["git", "gitk", "git-lfs", "ssh", "gpg", "sh", "bash", "less", "code", "vim", "nvim", "node", "npm", "npx", "python", "py"].flatMap(
    (name) => [".com", ".exe", ".bat", ".cmd", ".vbs", ".vbe", ".jse", ".wsf", ".wsh", ".msc"].map((extension) => name + extension),
  ),
];

/**
 * Packages that language servers and plugins of editors load from the project's own folder, without asking, when a file is opened. Without its manifest
 * and its index no package is found.
 */
const loadedByEditors: readonly string[] = [
  "typescript",
  "eslint",
  "prettier",
  "stylelint",
  "tailwindcss",
  "svelte",
  "standard",
  "xo",
  "@angular/language-service",
  "@angular/core",
  "@vue/language-server",
  "@vue/typescript-plugin",
  "@astrojs/compiler",
].flatMap((name) => [`node_modules/${name}/package.json`, `node_modules/${name}/index.*`]);

/** What runs outside the browser without being asked to, or with a command that does not name it: one row for each program. */
export const runsItself: readonly Row[] = [
  // Editors.
  { names: [".vscode/**"], when: "editor-opens", program: "Visual Studio Code" },
  { names: ["*.code-workspace"], when: "editor-opens", program: "Visual Studio Code" },
  { names: [".devcontainer/**", ".devcontainer.json"], when: "editor-opens", program: "Dev Containers" },
  { names: [".idea/**", "*.iml", "*.ipr", "*.iws"], when: "editor-opens", program: "JetBrains editors" },
  { names: [".run/*.xml"], when: "editor-opens", program: "JetBrains editors" },
  { names: [".fleet/**"], when: "editor-opens", program: "Fleet" },
  { names: [".zed/**"], when: "editor-opens", program: "Zed" },
  { names: [".vs/**", "*.suo", "*.csproj.user", "*.vcxproj.user"], when: "editor-opens", program: "Visual Studio" },
  { names: ["*.sublime-project", "*.sublime-workspace"], when: "editor-opens", program: "Sublime Text" },
  { names: [".helix/**"], when: "editor-opens", program: "Helix" },
  { names: [".nova/**"], when: "editor-opens", program: "Nova" },
  {
    names: [".vim/**", ".vimrc", "_vimrc", ".gvimrc", ".exrc", "_exrc", ".lvimrc", ".localvimrc", ".local.vim", "session.vim"],
    when: "editor-opens",
    program: "Vim",
  },
  { names: [".nvim/**", ".nvim.lua", ".nvimrc", ".lazy.lua", ".neoconf.json"], when: "editor-opens", program: "Neovim" },
  {
    names: [".dir-locals.el", ".dir-locals-2.el", ".projectile", ".emacs", ".emacs.d/**", "project.ede"],
    when: "editor-opens",
    program: "Emacs",
  },
  { names: [".kateproject", ".kateconfig"], when: "editor-opens", program: "Kate" },
  { names: [".lite_project.lua", ".tm_properties", ".lapce/**", "*.pro.user", "*.txt.user"], when: "editor-opens", program: "editors" },
  { names: ["*.playground/**"], when: "editor-opens", program: "Xcode" },
  { names: ["*.xcodeproj/**", "*.xcworkspace/**", ".swiftpm/**"], when: "editor-opens", program: "Xcode" },
  // What language servers and plugins of editors start, or load as code of their own, when a file of the language is opened.
  {
    names: [".pylintrc", ".pylintrc.toml", "pylintrc", "pylintrc.toml", "mypy.ini", ".mypy.ini", ".flake8", ".venv/**", "venv/bin/**"],
    when: "editor-opens",
    program: "editors with Python",
  },
  { names: [".jedi/**"], when: "editor-opens", program: "editors with Python" },
  { names: ["venv/scripts/**", "site-packages/*.pth"], when: "program-starts", program: "Python" },
  {
    names: ["node_modules/typescript/lib/*.js", "node_modules/typescript/lib/*.cjs", "node_modules/.bin/**", ...loadedByEditors],
    when: "editor-opens",
    program: "editors with JavaScript",
  },
  { names: ["config.nims", "*.nims", "nim.cfg", "*.nim.cfg"], when: "editor-opens", program: "editors with Nim, and Nim" },
  { names: [".elixir_ls/**", ".elixir-tools/**", ".expert/**"], when: "editor-opens", program: "editors with Elixir" },
  { names: ["dub.json", "dub.sdl", "dub.selections.json"], when: "editor-opens", program: "editors with D, and dub" },
  { names: [".trunk/**"], when: "editor-opens", program: "Trunk, and editors with it" },
  { names: [".nlsp-settings/**"], when: "editor-opens", program: "Neovim" },
  // It names the folder that `dotnet` is started from.
  { names: ["global.json"], when: "editor-opens", program: ".NET, and editors with C#" },
  { names: [".ycm_extra_conf.py"], when: "editor-opens", program: "YouCompleteMe" },
  { names: ["buildserver.json", ".sourcekit-lsp/**"], when: "editor-opens", program: "editors with Swift" },
  { names: [".tern-project"], when: "editor-opens", program: "editors with tern" },
  { names: [".lintr", ".lintr.r"], when: "editor-opens", program: "editors with R" },
  { names: ["rebar.config.script"], when: "editor-opens", program: "editors with Erlang, and rebar3" },
  { names: [".formatter.exs"], when: "editor-opens", program: "editors with Elixir" },
  { names: ["latexmkrc", ".latexmkrc"], when: "editor-opens", program: "editors with LaTeX, and latexmk" },
  { names: ["nbproject/**"], when: "editor-opens", program: "NetBeans" },
  { names: ["hie.yaml"], when: "editor-opens", program: "editors with Haskell" },
  { names: [".merlin", ".ocamlinit"], when: "editor-opens", program: "editors with OCaml, and OCaml" },
  { names: [".lsp/**"], when: "editor-opens", program: "editors with Clojure" },
  { names: [".bsp/**", ".bloop/**", ".metals/**", ".sbtopts", ".jvmopts", ".sbtrc"], when: "editor-opens", program: "editors with Scala" },
  { names: [".rubocop.yml", ".standard.yml", ".solargraph.yml", ".ruby-lsp/**"], when: "editor-opens", program: "editors with Ruby" },
  { names: [".luarc.json", ".luarc.jsonc"], when: "editor-opens", program: "editors with Lua" },
  { names: ["rust-analyzer.toml", ".rust-analyzer.toml"], when: "editor-opens", program: "editors with Rust" },
  { names: [".sqlfluff"], when: "editor-opens", program: "editors with SQL" },
  { names: ["omnisharp.json"], when: "editor-opens", program: "editors with C#" },
  {
    names: ["directory.build.*", "directory.packages.props", "directory.solution.*", "*.rsp", "nuget.config"],
    when: "editor-opens",
    program: "Visual Studio and .NET",
  },
  {
    names: [".terraform/**", "ansible.cfg", ".ansible-lint", ".config/ansible-lint.y*"],
    when: "editor-opens",
    program: "editors with Terraform or Ansible",
  },
  {
    names: ["gradle/wrapper/**", "gradle.properties", "local.properties", ".gradle/**"],
    when: "editor-opens",
    program: "Gradle, and editors with Java",
  },
  { names: [".gitpod/**", ".idx/**", ".replit", "devfile.yaml", ".devfile.yaml"], when: "editor-opens", program: "editors in the cloud" },
  { names: [".gitpod.yml", ".gitpod.dockerfile"], when: "editor-opens", program: "Gitpod" },
  { names: [".theia/**"], when: "editor-opens", program: "Theia" },
  { names: [".project", ".classpath", ".settings/**", ".externaltoolbuilders/**"], when: "editor-opens", program: "Eclipse" },
  // Coding agents.
  { names: [".claude/**", ".claude-plugin/**", ".claude.json", ".mcp.json", "mcp.json"], when: "editor-opens", program: "Claude Code" },
  { names: [".cursor/**", ".cursorrules"], when: "editor-opens", program: "Cursor" },
  { names: [".windsurf/**", ".windsurfrules", ".codeium/**"], when: "editor-opens", program: "Windsurf" },
  { names: [".gemini/**"], when: "editor-opens", program: "Gemini CLI" },
  { names: [".codex/**"], when: "editor-opens", program: "Codex" },
  { names: [".opencode/**", "opencode.json", "opencode.jsonc"], when: "editor-opens", program: "opencode" },
  { names: [".continue/**", ".continuerc.json"], when: "editor-opens", program: "Continue" },
  { names: [".aider.conf.yml", ".aider.conf.yaml", ".env.aider"], when: "editor-opens", program: "aider" },
  { names: [".github/hooks/**", ".copilot/**"], when: "editor-opens", program: "GitHub Copilot" },
  { names: ["crush.json", ".crush.json", ".crush/**"], when: "editor-opens", program: "Crush" },
  {
    names: [
      ".agent/**",
      ".agents/**",
      ".amazonq/**",
      ".amp/**",
      ".antigravity/**",
      ".augment/**",
      ".cline/**",
      ".clinerules/**",
      ".codebuddy/**",
      ".cody/**",
      ".deepagents/**",
      ".factory/**",
      ".forge/**",
      ".goose/**",
      ".grok/**",
      ".iflow/**",
      ".junie/**",
      ".kilocode/**",
      ".kimi/**",
      ".kiro/**",
      ".letta/**",
      ".mcp/**",
      ".mux/**",
      ".openhands/**",
      ".pi/**",
      ".qwen/**",
      ".roo/**",
      ".rovodev/**",
      ".serena/**",
      ".tabnine/**",
      ".trae/**",
      ".vibe/**",
      ".warp/**",
      ".zencoder/**",
      "gptme.toml",
    ],
    when: "editor-opens",
    program: "coding agents",
  },
  // Shells, and what watches them.
  { names: [".envrc", ".direnv/**", ".direnvrc"], when: "folder-entered", program: "direnv" },
  {
    names: [
      "mise.toml",
      ".mise.toml",
      "mise.*.toml",
      ".mise.*.toml",
      "mise/config.toml",
      "mise/config.*.toml",
      "mise/conf.d/*.toml",
      ".mise/**",
    ],
    when: "folder-entered",
    program: "mise",
  },
  { names: [".config/mise.toml", ".config/mise/**"], when: "folder-entered", program: "mise" },
  { names: [".rtx.toml", ".miserc.toml"], when: "folder-entered", program: "mise" },
  { names: [".tool-versions"], when: "folder-entered", program: "asdf and mise" },
  {
    names: [".env.leave", ".autoenv", ".autoenv.zsh", ".autoenv.leave", ".autoenv_leave.zsh"],
    when: "folder-entered",
    program: "autoenv, and shells with a plugin for it",
  },
  { names: ["bin/hermit", "bin/hermit.hcl", "bin/activate-hermit*"], when: "folder-entered", program: "Hermit" },
  { names: [".shadowenv.d/**"], when: "folder-entered", program: "Shadowenv" },
  { names: [".rvmrc", ".versions.conf", ".ruby-env"], when: "folder-entered", program: "RVM" },
  {
    names: ["shell.nix", "flake.nix", "devenv.nix", "devenv.local.nix", "devenv.yaml", "devbox.json", ".flox/**"],
    when: "folder-entered",
    program: "Nix, through direnv",
  },
  { names: [".tmuxinator.yml", ".tmuxp.yaml", ".tmuxp.json", ".tmux.conf", ".config/tmux/**"], when: "program-starts", program: "tmux" },
  { names: [".screenrc"], when: "program-starts", program: "screen" },
  // What is read in the home folder, where a zip may be unpacked, too.
  {
    names: [
      ".profile",
      ".bashrc",
      ".bash_profile",
      ".bash_login",
      ".bash_logout",
      ".bash_aliases",
      ".zshrc",
      ".zshenv",
      ".zprofile",
      ".zlogin",
      ".zlogout",
      ".kshrc",
      ".mkshrc",
      ".cshrc",
      ".tcshrc",
      ".login",
      ".logout",
      ".config/fish/**",
      ".config/nushell/**",
      ".config/elvish/**",
      ".config/powershell/**",
      "microsoft.powershell_profile.ps1",
    ],
    when: "program-starts",
    program: "shells, in the home folder",
  },
  { names: [".config/direnv/**"], when: "folder-entered", program: "direnv" },
  { names: [".gitconfig", ".config/git/config"], when: "program-starts", program: "git, in the home folder" },
  { names: [".ssh/**"], when: "program-starts", program: "ssh, in the home folder" },
  {
    names: [
      ".wgetrc",
      ".mailcap",
      ".lessfilter",
      ".forward",
      ".procmailrc",
      ".terraformrc",
      "terraform.rc",
      ".ansible.cfg",
      ".asoundrc",
      ".gnupg/**",
      ".docker/config.json",
      ".sbt/**",
      ".oh-my-zsh/**",
      ".config/zsh/**",
      ".config/starship.toml",
      ".config/alacritty/**",
      ".alacritty.*",
      ".config/ghostty/**",
      ".config/kitty/**",
      ".yabairc",
      ".skhdrc",
    ],
    when: "program-starts",
    program: "the program of that name, in the home folder",
  },
  { names: ["powershell/profile.ps1", "windowspowershell/profile.ps1"], when: "program-starts", program: "PowerShell, in the home folder" },
  { names: [".aws/config", ".aws/credentials", ".kube/config"], when: "program-starts", program: "aws or kubectl, in the home folder" },
  { names: [".config/nvim/**", ".config/vim/**"], when: "editor-opens", program: "Vim and Neovim, in the home folder" },
  { names: [".emacs.el", ".config/emacs/**"], when: "editor-opens", program: "Emacs, in the home folder" },
  {
    names: [
      ".config/systemd/user/**",
      ".local/share/systemd/user/**",
      ".config/environment.d/**",
      ".local/share/dbus-1/services/**",
      ".config/plasma-workspace/env/**",
      ".config/i3/**",
      ".config/sway/**",
      ".config/hypr/**",
      ".config/awesome/**",
      ".config/bspwm/**",
      ".config/openbox/**",
      ".config/qtile/**",
      ".fluxbox/**",
      ".xmonad/**",
      ".local/share/nautilus-python/**",
      ".local/share/thumbnailers/**",
      ".xinitrc",
      ".xprofile",
      ".xsession",
      ".xsessionrc",
    ],
    when: "program-starts",
    program: "Linux desktops, at a login",
  },
  {
    names: [
      ".config/**",
      ".local/bin/**",
      ".local/share/**",
      ".pam_environment",
      ".curlrc",
      ".my.cnf",
      ".tigrc",
      ".nanorc",
      ".gnuplot",
      "maxima-init.*",
      ".sage/**",
      ".xonshrc",
      ".localrc",
      ".zshrc.local",
      ".p10k.zsh",
      ".zimrc",
      ".zpreztorc",
      ".murex_profile",
      ".esrc",
      ".xbindkeysrc",
      ".jjconfig.toml",
      ".gemrc",
      ".aerospace.toml",
      ".phoenix.js",
      ".slate.js",
      ".finicky.js",
      ".vagrant.d/**",
    ],
    when: "program-starts",
    program: "the program of that name, in the home folder",
  },
  { names: [".vagrant/**"], when: "program-starts", program: "Vagrant" },
  { names: ["library/launchagents/**", "library/launchdaemons/**"], when: "program-starts", program: "macOS, at a login" },
  { names: [".wezterm.lua", ".config/wezterm/**", ".hammerspoon/**"], when: "program-starts", program: "the program of that name" },
  { names: ["start menu/programs/startup/**"], when: "program-starts", program: "Windows, at a login" },
  // File managers.
  { names: ["desktop.ini", "autorun.inf", "folder.htt"], when: "folder-shown", program: "Windows" },
  {
    names: ["*.scf", "*.library-ms", "*.searchconnector-ms", "*.theme", "*.themepack", "*.deskthemepack"],
    when: "folder-shown",
    program: "Windows",
  },
  {
    names: [
      "*.lnk",
      "*.url",
      "*.website",
      "*.pif",
      "*.scr",
      "*.hta",
      "*.settingcontent-ms",
      "*.appref-ms",
      "*.vbs",
      "*.vbe",
      "*.jse",
      "*.wsf",
      "*.wsh",
      "*.msc",
      "*.cpl",
      "*.shb",
      "*.shs",
      "*.ws",
      "*.wsc",
      "*.xbap",
      "*.xll",
    ],
    when: "opened",
    program: "Windows",
  },
  {
    names: [
      "*.search-ms",
      "*.contact",
      "*.rdp",
      "*.chm",
      "*.jnlp",
      "*.application",
      "*.appinstaller",
      "*.diagcab",
      "*.wsb",
      "*.reg",
      "*.iqy",
    ],
    when: "opened",
    program: "Windows",
  },
  { names: inPlaceOfPrograms, when: "program-starts", program: "Windows, in place of another" },
  { names: ["*.desktop"], when: "opened", program: "Linux desktops" },
  { names: ["*.command", "*.terminal", "*.tool", "*.webloc", "*.fileloc", "*.inetloc", "*.workflow/**"], when: "opened", program: "macOS" },
  {
    names: [
      "*.ftploc",
      "*.afploc",
      "*.app/**",
      "*.prefpane/**",
      "*.qlgenerator/**",
      "*.mdimporter/**",
      "*.scpt",
      "*.scptd/**",
      "*.mobileconfig",
      "*.saver/**",
      "*.action/**",
      "*.service/**",
      "*.shortcut",
      "*.osax/**",
    ],
    when: "opened",
    program: "macOS",
  },
  { names: [".ds_store", "._*", "__macosx/**"], when: "folder-shown", program: "macOS" },
  { names: [".directory"], when: "folder-shown", program: "KDE" },
  {
    names: [".xdg-volume-info", ".autorun", "autorun", "autorun.sh", ".autoopen", "autoopen"],
    when: "folder-shown",
    program: "Linux desktops",
  },
  // Debuggers, interpreters and other programs that read settings where they are started.
  { names: [".gdbinit", "*-gdb.py", "*-gdb.gdb", ".gdbearlyinit"], when: "program-starts", program: "gdb" },
  { names: [".jdbrc", "jdb.ini", ".perldb"], when: "program-starts", program: "the debugger of Java or Perl" },
  { names: ["startup.m"], when: "program-starts", program: "MATLAB" },
  { names: [".arcconfig", ".reviewboardrc", ".chef/**"], when: "program-starts", program: "arc, rbt or knife" },
  { names: [".lldbinit", ".lldbinit-*"], when: "program-starts", program: "lldb" },
  { names: ["sitecustomize.py", "usercustomize.py", "pyvenv.cfg"], when: "program-starts", program: "Python" },
  {
    names: ["conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"],
    when: "program-starts",
    program: "pytest, and editors that look for tests",
  },
  {
    names: [".pythonrc", ".pythonrc.py", ".pythonstartup", "ipython*_config.*", "jupyter*_config.*", "profile_default/**"],
    when: "program-starts",
    program: "Python",
  },
  {
    names: ["pip.py", "pip/__init__.py", "venv.py", "venv/__init__.py", "virtualenv.py", "ensurepip.py", "sysconfig.py"],
    when: "program-starts",
    program: "Python, in place of its own module",
  },
  { names: [".mdlrc"], when: "program-starts", program: "mdl" },
  { names: [".west/**"], when: "program-starts", program: "west" },
  { names: [".proverc"], when: "program-starts", program: "prove" },
  { names: [".irbrc", "irb.rc", "_irbrc", "$irbrc", ".pryrc", ".rspec", ".rspec-local"], when: "program-starts", program: "Ruby" },
  { names: [".bundle/config"], when: "program-starts", program: "Bundler" },
  { names: [".rprofile", ".renviron", ".rdata", "*.rproj"], when: "program-starts", program: "R" },
  {
    names: [".julia/**", ".ghci", ".iex.exs", ".erlang", ".pdbrc", ".pdbrc.py", ".psqlrc", ".sqliterc", ".inputrc", ".octaverc"],
    when: "program-starts",
    program: "the program of that name",
  },
  { names: [".cargo/config", ".cargo/config.toml"], when: "program-starts", program: "Cargo, and editors with Rust" },
  { names: ["rust-toolchain", "rust-toolchain.toml"], when: "program-starts", program: "rustup" },
  { names: [".mvn/**"], when: "program-starts", program: "Maven" },
  { names: [".bazelrc", "tools/bazel", ".bazeliskrc", ".bazelversion"], when: "program-starts", program: "Bazel" },
  { names: [".buckconfig", ".buckconfig.local"], when: "program-starts", program: "Buck" },
  { names: [".hgrc", ".hg/**"], when: "folder-entered", program: "Mercurial" },
  { names: [".sl/**", ".pijul/**", ".repo/**", ".p4config", "p4config.txt"], when: "folder-entered", program: "version control" },
  { names: [".lfsconfig"], when: "program-starts", program: "Git LFS, through git" },
  { names: [".svn/**", ".bzr/**", ".jj/**", "_darcs/**", ".fslckout", "_fossil_"], when: "folder-entered", program: "version control" },
  // Package managers.
  { names: [".npmrc"], when: "packages-installed", program: "npm, pnpm and Bun" },
  { names: [".yarnrc", ".yarnrc.yml", ".yarn/releases/**", ".yarn/plugins/**"], when: "program-starts", program: "Yarn" },
  { names: [".pnp.cjs", ".pnp.loader.mjs"], when: "program-starts", program: "Yarn" },
  { names: [".pnpmfile.cjs", "pnpmfile.js", ".pnpmfile.mjs"], when: "packages-installed", program: "pnpm" },
  { names: ["bunfig.toml", ".bunfig.toml"], when: "program-starts", program: "Bun" },
  { names: [".volta/**", ".proto/**", ".prototools"], when: "program-starts", program: "Volta and proto" },
  { names: ["pip.conf", "pip.ini", ".pypirc", ".pydistutils.cfg", "uv.toml"], when: "packages-installed", program: "pip and uv" },
  { names: [".pdm-plugins/**", ".pdm-python"], when: "program-starts", program: "PDM" },
  { names: [".corepack.env"], when: "program-starts", program: "Yarn and pnpm, through Corepack" },
  { names: [".condarc"], when: "packages-installed", program: "conda" },
  // What makes hooks of git.
  { names: [".husky/**", ".huskyrc", ".huskyrc.*"], when: "program-starts", program: "Husky, through git" },
  { names: [".githooks/**", ".git-hooks/**", ".hooks/**"], when: "program-starts", program: "git, where it is set up so" },
  { names: [".pre-commit-config.yaml", ".pre-commit-hooks.yaml"], when: "program-starts", program: "pre-commit, through git" },
  {
    names: ["lefthook.*", "lefthook-local.*", ".lefthook.*", ".lefthook-local.*", ".lefthook/**"],
    when: "program-starts",
    program: "Lefthook, through git",
  },
  {
    names: ["hk.pkl", "prek.toml", "captainhook.json", "grumphp.yml", "simple-git-hooks.*", ".simple-git-hooks.*"],
    when: "program-starts",
    program: "the program of that name, through git",
  },
  { names: [".overcommit.yml", ".git-hooks.yml"], when: "program-starts", program: "Overcommit, through git" },
  { names: [".watchmanconfig"], when: "program-starts", program: "Watchman" },
  // What the user runs, and may not expect of the command.
  {
    names: [
      "agents.md",
      "agents.override.md",
      "claude.md",
      "claude.local.md",
      "gemini.md",
      ".goosehints",
      "copilot-instructions.md",
      "warp.md",
      ".roomodes",
      ".github/agents/**",
      ".github/prompts/**",
      ".github/instructions/**",
    ],
    when: "program-starts",
    program: "coding agents, as instructions",
    listed: true,
  },
  {
    names: [
      "*.config.js",
      "*.config.cjs",
      "*.config.mjs",
      "*.config.ts",
      "*.config.mts",
      "*.config.cts",
      ".*rc.*js",
      ".eslintrc*",
      ".prettierrc*",
      ".stylelintrc*",
      ".babelrc*",
      ".swcrc",
      ".postcssrc*",
      ".oxlintrc*",
      ".textlintrc*",
      ".remarkrc*",
      ".markdownlint-cli2*",
      ".php-cs-fixer*.php",
      ".phpactor.*",
      "phpstan.*neon*",
      "psalm.xml",
      "sorbet/config",
      ".clangd",
      "compile_commands.json",
      "compile_flags.txt",
      ".ccls",
      ".markdownlint*.*js",
      ".dprint.json*",
      "dprint.json*",
      "phpcs.xml*",
      ".phpcs.xml*",
      "phpunit.xml*",
      "analysis_options.yaml",
    ],
    when: "editor-opens",
    program: "an editor with a plugin for it, once you trust the folder",
    listed: true,
  },
  // Usual names of modules: Windows runs them in place of a program, where cmd.exe is in their folder.
  {
    names: ["npm.js", "npx.js", "node.js", "python.js", "py.js", "code.js", "ssh.js"],
    when: "program-starts",
    program: "Windows, in place of another",
    listed: true,
  },
  // It is data of the program that is started. Plugins of shells that run it when the folder is entered ask first, file by file.
  { names: [".env"], when: "command", program: "starting the project, or entering the folder with a plugin that asks first", listed: true },
  {
    names: ["pyproject.toml", "tox.ini", ".coveragerc", "setup.cfg", "noxfile.py"],
    when: "command",
    program: "pytest, pip and others",
    listed: true,
  },
  // pnpm takes the last two for a `package.json`.
  { names: ["pnpm-workspace.yaml", "package.yaml", "package.json5"], when: "packages-installed", program: "pnpm", listed: true },
  { names: ["composer.json"], when: "packages-installed", program: "Composer", listed: true },
  {
    names: [
      "gemfile",
      "*.gemspec",
      "rakefile",
      "vagrantfile",
      "podfile",
      "brewfile",
      "guardfile",
      "capfile",
      "fastfile",
      "dangerfile",
      "berksfile",
    ],
    when: "command",
    program: "bundle, rake, vagrant and others of their kind",
    listed: true,
  },
  {
    names: [
      "build.gradle",
      "build.gradle.kts",
      "settings.gradle",
      "settings.gradle.kts",
      "pom.xml",
      "*.sbt",
      "project.clj",
      "deps.edn",
      "shadow-cljs.edn",
      "build.boot",
      "mix.exs",
      "rebar.config",
      "*.nimble",
      "shard.yml",
      "cabal.project",
      "stack.yaml",
      "setup.hs",
      "dune",
      "dune-project",
    ],
    when: "command",
    program: "building it, and an editor once you trust the folder",
    listed: true,
  },
  {
    names: [
      "cmakelists.txt",
      "cmakepresets.json",
      "cmakeuserpresets.json",
      "platformio.ini",
      "meson.build",
      "build.zig",
      "package.swift",
      "*.csproj",
      "*.vcxproj",
      "*.fsproj",
      "*.vbproj",
      "*.props",
      "*.targets",
      "*.sln",
      "*.slnx",
      "project.godot",
    ],
    when: "command",
    program: "building it, and an editor once you trust the folder",
    listed: true,
  },
  { names: ["projectsettings/projectversion.txt", "*.uproject"], when: "editor-opens", program: "Unity or Unreal", listed: true },
  { names: ["default.nix"], when: "command", program: "nix", listed: true },
  {
    names: [
      ...["*.exe", "*.com", "*.bat", "*.cmd", "*.ps1", "*.msi", "*.msix", "*.jar", "*.appimage", "*.flatpakref", "*.vsix", "*.run"],
      ...["*.deb", "*.rpm", "*.snap", "*.pkg", "*.inf", "*.pyw", "*.xpi", "*.crx", "*.oxt"],
      // Programs of an office, which ask before they run what is in these.
      ...["*.docm", "*.dotm", "*.xlsm", "*.xltm", "*.xlam", "*.xla", "*.slk", "*.pptm", "*.ppam", "*.accde", "*.mde"],
    ],
    when: "opened",
    program: "the system",
    listed: true,
  },
  { names: [".gitmodules"], when: "command", program: "git submodule update", listed: true },
  { names: ["makefile", "gnumakefile", "*.mk"], when: "command", program: "make", listed: true },
  {
    names: ["-*", "-*/**"],
    when: "command",
    program: "a command that is given all files (*), which takes the name for an option",
    listed: true,
  },
  { names: ["justfile", ".justfile"], when: "command", program: "just", listed: true },
  { names: ["taskfile.yml", "taskfile.yaml"], when: "command", program: "task", listed: true },
  { names: ["setup.py"], when: "command", program: "pip install", listed: true },
  { names: ["build.rs", "cargo.toml"], when: "command", program: "cargo build", listed: true },
  { names: ["binding.gyp"], when: "command", program: "npm install", listed: true },
  {
    names: ["dockerfile", "compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml", "*compose.override.y*"],
    when: "command",
    program: "docker",
    listed: true,
  },
  { names: ["gradlew", "gradlew.bat", "mvnw", "mvnw.cmd", "configure"], when: "command", program: "its name", listed: true },
  {
    names: [
      "*.zip",
      "*.tar",
      "*.tgz",
      "*.tar.gz",
      "*.tar.bz2",
      "*.tar.xz",
      "*.7z",
      "*.rar",
      "*.bundle",
      "*.iso",
      "*.img",
      "*.vhd",
      "*.vhdx",
      "*.dmg",
    ],
    when: "command",
    program: "unpacking it: nothing in it was looked at",
    listed: true,
  },
];

interface Matcher {
  readonly pattern: RegExp;
  readonly row: Row;
}

const rows: readonly Matcher[] = runsItself.flatMap((row) => row.names.map((name) => ({ pattern: patternOf(name), row })));

/** The paths that a name of the table is about, folded. */
export function patternOf(name: string): RegExp {
  const rest = name.endsWith("/**");
  const own = (rest ? name.slice(0, -3) : name).replaceAll(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
  return new RegExp(`(?:^|/)${own}${rest ? "/." : "$"}`, "s");
}

const folded = new Map<string, string>();
const maxFolded = 50_000;

function foldedSegment(segment: string): string {
  const known = folded.get(segment);
  if (known !== undefined) return known;
  if (folded.size >= maxFolded) folded.clear();
  const form = foldedName(segment);
  folded.set(segment, form);
  return form;
}

/** Only a file system that folds names, or a program that unpacks, takes it for another one: git does not. */
export function isOddName(path: string): boolean {
  return unpackedPaths(path).length > 1 || path.split("/").some((segment) => foldedSegment(segment) !== segment.toLowerCase());
}

/** The paths, folded, under which a file system may have it after unpacking. */
export function foldedPaths(path: string): readonly string[] {
  return unpackedPaths(path).map((one) => one.split("/").map(foldedSegment).join("/"));
}

/** One pattern of all: most paths are no name of the table, and are asked once. */
const any = new RegExp(rows.map(({ pattern }) => pattern.source).join("|"), "s");

/** The first row that names the file; those that hold it back come before those that list it. Null: none does. */
export function whatRuns(path: string): Pick<Finding, "level" | "reason"> | null {
  const forms = foldedPaths(path).filter((form) => any.test(form));
  if (forms.length === 0) return null;
  const found = rows.filter(({ pattern }) => forms.some((form) => pattern.test(form)));
  const row = (found.find((one) => one.row.listed === undefined) ?? found[0])?.row;
  if (!row) return null;
  return { level: row.listed ? "listed" : "held", reason: { kind: "runs", when: row.when, program: row.program } };
}
