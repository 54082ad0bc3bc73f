import type { Texts } from '../texts.ts';

export const front: Texts['front'] = {
  title: 'API de ofertas de emprego da Vaga',
  summary:
    'Uma empresa cria, lista, consulta, altera e retira as suas próprias ofertas de emprego, e consulta os dados de referência de que precisam. As mesmas operações são ferramentas de um servidor Model Context Protocol (MCP).',
  docs: ': todas as operações com exemplos para curl, TypeScript e MCP, que pode experimentar no ambiente de testes.',
  dashboard: ': as credenciais, as ofertas e os pedidos da sua empresa.',
  contract: 'O contrato em ficheiro: ',
  llms: 'Para modelos de linguagem: ',
  addresses: 'Endereços',
};

export const docs: Texts['docs'] = {
  title: (title) => `${title}: referência da API`,
  description: (summary) => `${summary} Referência da API com exemplos para curl, TypeScript e MCP.`,
  contents: 'Conteúdo',
  setup: 'Preparar os exemplos',
  forCurl: 'Para curl:',
  forTypeScript: 'Para TypeScript:',
  forMcp:
    'Para MCP, um agente envia estas mensagens. Para enviar uma à mão, execute este comando, cole a mensagem e prima Ctrl-D:',
  errorResponses: 'Respostas de erro',
  responseHeaders: 'Cabeçalhos das respostas',
  schemas: 'Esquemas',
  tools: 'Ferramentas (MCP)',
  toolsIntroduction: (sandbox, production) =>
    `Streamable HTTP, apenas POST, com os mesmos tokens: \`${sandbox}\` (ambiente de testes), \`${production}\` (produção).`,
  fieldsOf: 'Campos de ',
  headers: 'Cabeçalhos:',
  operation: 'operação',
  scope: 'âmbito',
  tool: 'ferramenta',
  arguments: 'argumentos',
  noArguments: 'nenhum',
  parameters: 'Parâmetros',
  inPlace: { path: ' No caminho.', header: ' No cabeçalho.' },
  requestBody: 'Corpo do pedido',
  jsonWith: (schema) => ['JSON com os campos de ', schema, '.'],
  responses: 'Respostas',
  errors: (statuses) => `Erros: ${statuses}`,
  noTool: 'Esta operação não tem ferramenta.',
  example: 'Exemplo: ',
  required: ' obrigatório',
  see: (link) => ['Ver ', link, '.'],
  oneOf: (values) => ['Um de ', values, '.'],
};

export const fieldTypes: Texts['fieldTypes'] = {
  any: 'qualquer valor',
  arrayOf: (type) => `lista de ${type}`,
  orNull: (type) => `${type} ou null`,
  each: (limit) => `cada um ${limit}`,
  units: {
    character: { one: 'carácter', several: 'caracteres' },
    item: { one: 'elemento', several: 'elementos' },
  },
  range: (min, max) => `${min} a ${max}`,
  atMost: (max) => `no máximo ${max}`,
  atLeast: (min) => `no mínimo ${min}`,
  someProperties: (count) => `pelo menos ${count} das suas propriedades`,
  matches: (pattern) => `corresponde a ${pattern}`,
  standard: (value) => `por omissão ${value}`,
};

export const clients: Texts['clients'] = {
  title: 'Ligar um agente (MCP)',
  introduction: (address, prefix) => [
    'Estes usam o ambiente de testes. Para produção, use ',
    address,
    ' e um token que comece por ',
    prefix,
    '. Não há OAuth: um agente precisa de um token do painel da empresa.',
  ],
  label: 'Clientes MCP',
  client: 'Cliente',
  paste: 'O que colar',
  where: {
    'Claude Code': 'Num terminal.',
    Codex: 'Num terminal; o Codex lê a variável `TOKEN` em cada arranque.',
    'VS Code': '`.vscode/mcp.json`; o VS Code pede o token.',
    Cursor: '`~/.cursor/mcp.json`',
    'Claude Desktop': '`claude_desktop_config.json`, através do mcp-remote, que precisa de Node.',
    'TypeScript SDK': '`@modelcontextprotocol/client` 2; os outros SDK recebem o mesmo endereço e o mesmo cabeçalho.',
    'claude.ai':
      'Um conector personalizado com um endereço público e, em _Request headers_, `Authorization`. É uma versão beta que nem todas as contas têm; sem ela, o claude.ai só usa OAuth, que a Vaga não tem.',
    ChatGPT: 'Não é possível: os seus conectores só usam OAuth, que a Vaga não tem.',
  },
  cards: (code) => [
    'Os clientes que procuram servidores encontram um cartão de servidor, sem ferramentas, em ',
    code('/mcp/server-card'),
    ' e ',
    code('/sandbox/mcp/server-card'),
    ', e ambos em ',
    code('/.well-known/ai-catalog.json'),
    '. Não precisam de token. Respondem 404 se o serviço não souber o seu endereço público, ou seja, se ',
    code('PUBLIC_URL'),
    ' não estiver definido e o serviço não for contactado diretamente num endereço local.',
  ],
};

export const tryIt: Texts['tryIt'] = {
  token: 'Token do ambiente de testes para «Experimentar»',
  tokenHint: (prefix, base) => [
    'Começa por ',
    prefix,
    '. Fica apenas neste campo e desaparece quando sai da página. «Experimentar» chama ',
    base,
    ', nunca a produção.',
  ],
  summary: 'Experimentar no ambiente de testes',
  label: (operation) => `Experimentar: ${operation}`,
  notSent: 'não enviado',
  send: 'Enviar para o ambiente de testes',
  enterToken: 'Introduza primeiro um token do ambiente de testes; começa por',
  outside: 'Este caminho está fora do ambiente de testes.',
};
