/** Every long field at nearly its greatest length: 120 KB of JSON, close to the greatest request. */
export const largeJob = {
  title: 'Eletricista',
  body: 'a'.repeat(30_000),
  contact_instructions: 'b'.repeat(10_000),
  category_id: 303,
  district_id: 13,
  application_method: 'system',
  requirements: 'c"\\\n\u2028é😀'.repeat(1200),
  salary_benefits: 'd'.repeat(5000),
  remote_policy: 'e'.repeat(5000),
  education_details: Array(50).fill('f'.repeat(500)),
  professional_requirements: Array(50).fill('g'.repeat(500)),
};
